// Keeps the definitions of a partition's sources as read so far, and decides whether an unknown source is gone or not
// read yet.
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { MalformedRecord } from '../../loop/reading/unusable.ts';
import { NewerRecordError } from '../../loop/reading/unusable.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Definition, SourceDefinitions } from '../source/definitions.ts';

/** Definitions are small: a page is processed within one turn of the event loop. */
const page = { recordsMax: 1_000, bytesMax: 1024 * 1024 };
/** The wait between attempts while the log does not answer, or holds a record newer than this program. */
const retryMs = 200;

export interface KnownSourcesOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'tolerate' | 'fail'>;
  readonly definitions: SourceDefinitions;
  /** The offset up to which `sources` was read. */
  readonly from: number;
  /** All triggers below this offset were read. */
  readonly triggersRead: () => number;
  /** Called when a record of a source was read. */
  readonly changed: (sourceId: string) => void;
  /** Called when a source no longer exists. */
  readonly gone: (sourceId: string) => void;
  /** Called when `isSettled` covers more than before; call `settle` again for what it does not cover yet. */
  readonly settled: () => void;
}

export class KnownSources {
  readonly #options: KnownSourcesOptions;
  #next: number;
  #settledBelow = 0;
  #isSettling = false;
  #stopped = false;

  constructor(options: KnownSourcesOptions) {
    this.#options = options;
    this.#next = options.from;
  }

  /** The offset up to which `sources` was read. */
  get next(): number {
    return this.#next;
  }

  get(sourceId: string): Definition | undefined {
    return this.#options.definitions.get(sourceId);
  }

  /** Whether every definition older than the trigger at this offset was read; if so, an unknown source is gone. */
  isSettled(offset: number): boolean {
    return offset < this.#settledBelow;
  }

  /** Takes records from the tail; skips those that were already read ahead of it. */
  take(records: readonly RecordOn<'sources'>[], next: number): void {
    const { context, definitions, changed, gone } = this.#options;
    for (const record of records) {
      if (record.offset < this.#next) continue;
      context.tolerate(record, () => definitions.accept(record));
      changed(record.key);
      if (isTombstone(record)) gone(record.key);
    }
    this.#next = Math.max(next, this.#next);
  }

  pass({ offset, record }: MalformedRecord, next: number): void {
    if (offset >= this.#next) this.#options.definitions.spoil(record.key);
    this.#next = Math.max(next, this.#next);
  }

  /** Reads definitions ahead of the tail, for all triggers read so far; one read at a time. */
  settle(): void {
    if (this.#isSettling || this.#stopped) return;
    this.#isSettling = true;
    const below = this.#options.triggersRead();
    this.#readOn().then(
      () => this.#ended(below),
      (error: unknown) => this.#failed(error),
    );
  }

  stop(): void {
    this.#stopped = true;
  }

  async #readOn(): Promise<void> {
    const { log, partition } = this.#options.context;
    const to = await log.settledEnd('sources', partition);
    for (let from = this.#next; from < to; from = this.#next) {
      const { records, malformed, next } = await log.read('sources', partition, from, { ...page, to });
      // The tail has read further in the meantime.
      if (this.#next !== from) continue;
      for (const { record } of malformed) this.#options.definitions.spoil(record.key);
      this.take(records, next);
      if (next <= from) return;
    }
  }

  #ended(below: number): void {
    this.#isSettling = false;
    this.#settledBelow = below;
    if (!this.#stopped) this.#options.settled();
  }

  #failed(error: unknown): void {
    if (this.#stopped) return;
    if (!(error instanceof NewerRecordError) && !(error instanceof PortError && error.retryable))
      return this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
    setTimeout(() => {
      this.#isSettling = false;
      this.settle();
    }, retryMs).unref();
  }
}
