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
  readonly onChanged: (sourceId: string) => void;
  /** Called when a source no longer exists. */
  readonly onRemoved: (sourceId: string) => void;
  /** Called when `isCaughtUp` covers more than before; call `catchUp` again for what it does not cover yet. */
  readonly onCaughtUp: () => void;
}

export class KnownSources {
  readonly #options: KnownSourcesOptions;
  #next: number;
  #caughtUpBelow = 0;
  #isCatchingUp = false;
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
  isCaughtUp(offset: number): boolean {
    return offset < this.#caughtUpBelow;
  }

  /** Takes records from the tail; skips those that were already read ahead of it. */
  apply(records: readonly RecordOn<'sources'>[], next: number): void {
    const { context, definitions, onChanged, onRemoved } = this.#options;
    for (const record of records) {
      if (record.offset < this.#next) continue;
      context.tolerate(record, () => definitions.accept(record));
      onChanged(record.key);
      if (isTombstone(record)) onRemoved(record.key);
    }
    this.#next = Math.max(next, this.#next);
  }

  skip({ offset, record }: MalformedRecord, next: number): void {
    if (offset >= this.#next) this.#options.definitions.markUnreadable(record.key);
    this.#next = Math.max(next, this.#next);
  }

  /** Reads definitions ahead of the tail, for all triggers read so far; one read at a time. */
  catchUp(): void {
    if (this.#isCatchingUp || this.#stopped) return;
    this.#isCatchingUp = true;
    const below = this.#options.triggersRead();
    this.#readAhead().then(
      () => this.#handleCaughtUp(below),
      (error: unknown) => this.#handleError(error),
    );
  }

  stop(): void {
    this.#stopped = true;
  }

  async #readAhead(): Promise<void> {
    const { log, partition } = this.#options.context;
    const to = await log.settledEnd('sources', partition);
    for (let from = this.#next; from < to; from = this.#next) {
      const { records, malformed, next } = await log.read('sources', partition, from, { ...page, to });
      // The tail has read further in the meantime.
      if (this.#next !== from) continue;
      for (const { record } of malformed) this.#options.definitions.markUnreadable(record.key);
      this.apply(records, next);
      if (next <= from) return;
    }
  }

  #handleCaughtUp(below: number): void {
    this.#isCatchingUp = false;
    this.#caughtUpBelow = below;
    if (!this.#stopped) this.#options.onCaughtUp();
  }

  #handleError(error: unknown): void {
    if (this.#stopped) return;
    if (!(error instanceof NewerRecordError) && !(error instanceof PortError && error.retryable))
      return this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
    setTimeout(() => {
      this.#isCatchingUp = false;
      this.catchUp();
    }, retryMs).unref();
  }
}
