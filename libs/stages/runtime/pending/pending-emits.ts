// Turns waiting emits into events when they are due: reads a few of them from the log at a time, for the next append.
import type { Ambient } from '../../../domain/ambient.ts';
import type { PendingEvent } from '../../../domain/pending/messages.ts';
import { pendingTombstone } from '../../../domain/pending/pending.ts';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Appends } from '../../../domain/flow.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';
import type { OutputBatch } from '../output/output-batch.ts';
import type { SourceStates } from '../source/source-states.ts';
import type { WaitingEmit, IdRange, WaitingEmits } from '../output/waiting-emits.ts';

/** The limits of one step, in which emits are read and become events: others get their turn between two steps. */
const page = { recordsMax: 64, bytesMax: 1024 * 1024 };
/** The page for an entry elsewhere on the log: it is often followed by some that are due soon after it. */
const nearby = { recordsMax: 8, bytesMax: 64 * 1024 };
/** The most tombstones per append for sources that are gone: some 80 KiB. */
const tombstonesMax = 256;

export interface PendingEmitsOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'ready' | 'fail'>;
  readonly ambient: Ambient;
  readonly waiting: WaitingEmits;
  readonly states: SourceStates;
  readonly limits: Pick<RuntimeLimits, 'pendingCheckMs'>;
  /** Whether the source is known, and not gone. */
  readonly isKnown: (sourceId: string) => boolean;
}

/** The time in an id, `<ms>-<number>`. */
const timeOf = (pendingId: string): Millis => Number(pendingId.slice(0, pendingId.indexOf('-')));

export const entryOf = ({ workspace, data }: PendingEvent, offset: number): WaitingEmit => {
  const { sourceId, number, pendingId, dueAt } = data;
  return { sourceId, workspace, number, at: timeOf(pendingId), dueAt, offset };
};

export class PendingEmits {
  readonly #options: PendingEmitsOptions;
  /** Emits that were read, for the next append. */
  #ready: readonly StoredRecord<PendingEvent>[] = [];
  /** Sources that are gone, whose entries are to be deleted. */
  readonly #removedSources = new Set<string>();
  /** Until it is known which sources exist, nothing is emitted: a source that has entries might be gone. */
  #isHeld: boolean;
  #isReading = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PendingEmitsOptions) {
    this.#options = options;
    this.#isHeld = [...options.waiting.sources].some((id) => !options.isKnown(id));
    this.#checkDue();
  }

  get isReady(): boolean {
    return this.#ready.length > 0;
  }

  /** Whether it waits for `resume`. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Call when every source that existed at the start is known. */
  resume(): void {
    if (!this.#isHeld) return;
    const { waiting, isKnown } = this.#options;
    for (const id of waiting.sources) if (!isKnown(id)) this.markRemoved(id);
    this.#isHeld = false;
    this.#checkDue();
  }

  /** Whether the source has entries that wait, or that are still to be deleted. */
  has(sourceId: string): boolean {
    return this.#options.waiting.has(sourceId);
  }

  markRemoved(sourceId: string): void {
    if (this.has(sourceId)) this.#removedSources.add(sourceId);
  }

  /** Whether `cancel` reaches everything that the source has emitted, because none of it is on its way to the log. */
  isConfirmed(sourceId: string): boolean {
    return this.#options.waiting.isConfirmed(sourceId);
  }

  /** How many entries `cancel` would end. */
  count(sourceId: string, range: IdRange): number {
    return this.#options.waiting.select(sourceId, Infinity, range).length;
  }

  /** Tombstones of a source's entries in a range of ids. For a request, append them together with its end. */
  cancel(sourceId: string, range: IdRange, now: Millis, countMax = Infinity): readonly OutgoingOn<'pending'>[] {
    const { waiting, context } = this.#options;
    return waiting.select(sourceId, countMax, range).map((entry) => {
      waiting.remove(entry);
      return { topic: 'pending', partition: context.partition, record: pendingTombstone(sourceId, entry.number, now) };
    });
  }

  /** The next few tombstones of sources that are gone. */
  takeTombstones(now: Millis): readonly OutgoingOn<'pending'>[] {
    for (const sourceId of this.#removedSources) {
      const records = this.cancel(sourceId, {}, now, tombstonesMax);
      if (records.length > 0) return records;
      if (!this.has(sourceId)) this.#removedSources.delete(sourceId);
    }
    return [];
  }

  /** Adds the emits that were read and still wait to an append. */
  putInto(batch: OutputBatch): void {
    const { waiting, states } = this.#options;
    let hasEmitted = false;
    for (const [index, record] of this.#ready.entries()) {
      const { sourceId, number } = record.data;
      if (this.#removedSources.has(sourceId) || !waiting.isCurrent({ sourceId, number, offset: record.offset }))
        continue;
      if (!batch.emit(record, states.of({ key: sourceId, workspace: record.workspace }))) {
        this.#ready = this.#ready.slice(index);
        return;
      }
      waiting.remove({ sourceId, number });
      hasEmitted = true;
    }
    this.#ready = [];
    if (!hasEmitted) this.#checkDue();
  }

  /** Call after each append, with the offsets of its records. */
  appended(records: readonly OutgoingOn<Appends<'runtime'>>[], offsets: readonly number[]): void {
    const { waiting, isKnown } = this.#options;
    for (const [index, { topic, record }] of records.entries()) {
      const offset = offsets[index];
      if (topic !== 'pending' || isTombstone(record) || offset === undefined) continue;
      const entry = entryOf(record, offset);
      waiting.confirm(entry);
      // A run can end after its source was deleted.
      if (!isKnown(entry.sourceId)) this.markRemoved(entry.sourceId);
    }
    if (this.#removedSources.size > 0) this.#options.context.ready();
    this.#checkDue();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Due times follow the wall clock, timers the monotonic one: regular checks notice a wall clock that was set. */
  #checkDue(): void {
    if (this.#stopped || this.#isHeld || this.#isReading || this.#ready.length > 0) return;
    const { waiting, ambient, limits } = this.#options;
    const now = ambient.now();
    const entries = waiting.takeDue(now, page.recordsMax);
    if (entries.length > 0) {
      this.#read(entries);
      return;
    }
    const { firstDue } = waiting;
    clearTimeout(this.#timer);
    if (firstDue === undefined) return;
    this.#timer = setTimeout(
      () => this.#checkDue(),
      Math.max(1, Math.min(firstDue - now, limits.pendingCheckMs)),
    ).unref();
  }

  #read(entries: readonly WaitingEmit[]): void {
    this.#isReading = true;
    this.#readBack(entries).then(
      (ready) => {
        this.#isReading = false;
        this.#ready = ready;
        if (this.#stopped) return;
        if (ready.length > 0) this.#options.context.ready();
        else this.#checkDue();
      },
      (error: unknown) => this.#options.context.fail(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Reads entries in the order of due times until a page is full; the others become due again. */
  async #readBack(entries: readonly WaitingEmit[]): Promise<readonly StoredRecord<PendingEvent>[]> {
    const { context, waiting } = this.#options;
    const { log, partition } = context;
    const read = new Map<number, RecordOn<'pending'>>();
    const found: StoredRecord<PendingEvent>[] = [];
    let bytes = 0;
    for (const entry of entries.toSorted((a, b) => a.dueAt - b.dueAt || a.number - b.number)) {
      if (bytes >= page.bytesMax) {
        waiting.requeue(entry);
        continue;
      }
      if (!read.has(entry.offset)) {
        const { records } = await log.read('pending', partition, entry.offset, read.size === 0 ? page : nearby);
        for (const record of records) read.set(record.offset, record);
      }
      const record = read.get(entry.offset);
      // An entry that was cancelled in the meantime might be gone from the log.
      if (record === undefined && waiting.isCurrent(entry))
        throw new PortError(
          'corrupt',
          `pending/${partition} has no record at ${entry.offset} any more, which was read before`,
        );
      if (record === undefined || isTombstone(record)) continue;
      found.push(record);
      bytes += JSON.stringify(record.data).length;
    }
    return found;
  }
}
