// Collects records for the log: attempts and the cursors that they moved, in one append with the positions reached.
import type { Ambient } from '../../domain/ambient.ts';
import type { Appends } from '../../domain/flow.ts';
import type { MessageOn } from '../../domain/messages-of.ts';
import type { OutgoingOn } from '../../log/log.ts';
import type { SourceCursor } from './cursors/source-cursor.ts';
import { outgoingOf, type CompletionRecord } from './outcomes/completion-records.ts';
import { filteredRecords, waitingRecords } from './records/cursor-records.ts';
import { applyUnparked, cursorsChangedBy, positionRecord } from './records/position-record.ts';
import { WriteTracker } from './records/write-tracker.ts';
import type { DeliveryLimits } from './delivery-limits.ts';
import type { Output } from '../loop/stage.ts';

/** Generous JSON sizes: a record on `cursors`, its report, its filtered count, an open delivery, a waiting record. */
const cursorBytes = 768;
const reportBytes = 256;
const filteredBytes = 512;
const openBytes = 160;
const parkedSpanBytes = 64;
const waitingBytes = 768;
/** The most bytes of one segment of the index: 16,384 records of as many sources take 750 KB. */
const attachedBytesMax = 1024 * 1024;

/** The most cursors in one append, since their records take some milliseconds to make: the next append has the rest. */
const cursorsAtOnceMax = 1_000;

/** A control character takes six bytes in JSON. */
const pointerCharBytes = 6;

const bytesOf = ({ pendingBytes, position, retries, keyOrder, endedLines }: SourceCursor): number => {
  const separateRecords = retries.changeCount + (keyOrder?.changeCount ?? 0) + endedLines.length;
  const ownBytes = cursorBytes + reportBytes + filteredBytes + (keyOrder?.pointer.length ?? 0) * pointerCharBytes;
  const spansBytes = (position.counters.parkedTimes?.spans.length ?? 0) * parkedSpanBytes;
  return pendingBytes + ownBytes + position.open.length * openBytes + spansBytes + separateRecords * waitingBytes;
};

/**
 * The cursors that share one append with this one: those with attempts of its subscription or of its replays, because
 * the order of their records tells whether an event is parked, and those that a replay has changed.
 */
function cursorsTakenWith(
  cursor: SourceCursor,
  replayed: ReadonlyMap<string, readonly SourceCursor[]>,
): ReadonlySet<SourceCursor> {
  const attempted = replayed.get(cursor.subscription.subscriptionId);
  if (attempted === undefined) return new Set([cursor]);
  const cursors = new Set([cursor, ...attempted]);
  for (const one of [...cursors]) for (const changed of cursorsChangedBy(one)) cursors.add(changed);
  return cursors;
}

type Limits = Pick<DeliveryLimits, 'flushMs' | 'flushCompletions' | 'idleFlushMs' | 'pendingBytesMax'>;

type DeliveryOutgoing = OutgoingOn<Appends<'delivery'>>;

export interface OutboxOptions {
  readonly partition: number;
  /** The number of the log's partitions: a listening source can be in any of them. */
  readonly partitions: number;
  readonly ambient: Ambient;
  readonly limits: Limits;
  /** Called when `take` has something. */
  readonly ready: () => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #touched = new Set<SourceCursor>();
  readonly #immediate: OutgoingOn<'cursors' | 'replays' | 'requests' | 'indexes'>[] = [];
  /** Large records that go into one append together. */
  readonly #attached: OutgoingOn<'indexes'>[] = [];
  /** Records that follow all cursors, by key. */
  readonly #trailing = new Map<string, OutgoingOn<'cursors'>>();
  readonly #writes = new WriteTracker();
  #positions: Record<string, number> = {};
  /** The number of the next record of an attempt. */
  #nextSequence = 0;
  #completions = 0;
  #pendingBytes = 0;
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = Number.POSITIVE_INFINITY;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Whether too many bytes wait for the log, so that no new attempt can start. */
  get isFull(): boolean {
    return this.#pendingBytes >= this.#options.limits.pendingBytesMax;
  }

  /** Call when the cursor has changed: its record is appended before the mark moves past the change. */
  touch(cursor: SourceCursor): void {
    this.#touched.add(cursor);
    this.#flushWithin(this.#options.limits.idleFlushMs);
  }

  /** Call when an attempt has ended: its records are appended with its cursor. */
  complete(cursor: SourceCursor, records: readonly CompletionRecord[], bytes: number): void {
    for (const record of records) cursor.pending.push({ record, sequence: this.#nextSequence++ });
    cursor.pendingBytes += bytes;
    this.#pendingBytes += bytes;
    this.#touched.add(cursor);
    const { flushCompletions, flushMs } = this.#options.limits;
    if (++this.#completions >= flushCompletions || this.isFull) this.flush();
    else this.#flushWithin(flushMs);
  }

  /** Appends a record at once; it replaces a record of `appendLast` with the same key. */
  appendNow(outgoing: OutgoingOn<'cursors' | 'replays' | 'requests' | 'indexes'>): void {
    this.#trailing.delete(outgoing.record.key);
    this.#immediate.push(outgoing);
    this.flush();
  }

  /** Appends these records in this partition. */
  writeCursors(records: Iterable<MessageOn<'cursors'>>): void {
    const { partition } = this.#options;
    for (const record of records) this.appendNow({ topic: 'cursors', partition, record });
  }

  /** Appends these records together, at most `attachedBytesMax`. Those of the previous call must be on the log. */
  attach(records: readonly OutgoingOn<'indexes'>[]): void {
    this.#attached.push(...records);
    this.flush();
  }

  /** Appends a record that removes what cursors on the log might still need, after all cursors changed by now. */
  appendLast(outgoing: OutgoingOn<'cursors'>): void {
    this.#trailing.set(outgoing.record.key, outgoing);
    this.flush();
  }

  /** Call when everything of this input below `next` has been handled. */
  advancePosition(key: string, next: number): void {
    this.#positions[key] = next;
    this.#flushWithin(this.#options.limits.idleFlushMs);
  }

  /** Makes everything that waits due now. */
  flush(): void {
    this.#isDue = true;
    this.#options.ready();
  }

  /** Makes everything due for the next `take`, and sets no more timers. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#timerMs = 0;
    this.flush();
  }

  /** Resolves once all attempts that have ended by now are on the log, with their cursors. */
  whenWritten(): Promise<void> {
    const promise = this.#writes.wait();
    this.flush();
    return promise;
  }

  /** Call when the log holds the oldest output that was taken and not committed before. */
  committed(): void {
    this.#writes.noteCommitted();
  }

  /** Returns the next output. A cursor and its attempts are never split. Positions go with the last records. */
  take(bytesMax: number): Output<Appends<'delivery'>> | undefined {
    if (!this.#isDue) return undefined;
    const attached = this.#attached.splice(0);
    const roomBytes = attached.length === 0 ? bytesMax : bytesMax - attachedBytesMax;
    const records: DeliveryOutgoing[] = this.#immediate.splice(0, Math.max(1, Math.floor(roomBytes / cursorBytes)));
    if (this.#immediate.length === 0) {
      const bytes = this.#takeCursors(records, roomBytes);
      if (this.#touched.size === 0) this.#takeLast(records, roomBytes - bytes);
    }
    records.push(...attached);
    const takesAll = this.#immediate.length === 0 && this.#touched.size === 0 && this.#trailing.size === 0;
    const positions = takesAll ? this.#positions : {};
    if (takesAll) this.#reset();
    const isOutput = records.length > 0 || Object.keys(positions).length > 0;
    this.#writes.noteTaken({ isOutput, isComplete: takesAll });
    return isOutput ? { records, positions } : undefined;
  }

  /** Returns the estimated bytes of all records so far. */
  #takeCursors(records: DeliveryOutgoing[], bytesMax: number): number {
    let bytes = records.length * cursorBytes;
    let cursors = 0;
    const replayed = this.#attemptsBesideReplays();
    for (const cursor of this.#touched) {
      const together = cursorsTakenWith(cursor, replayed);
      for (const one of together) bytes += bytesOf(one);
      if ((bytes > bytesMax && records.length > 0) || cursors >= cursorsAtOnceMax) return bytes;
      cursors += together.size;
      this.#takeTogether(together, records);
      replayed.delete(cursor.subscription.subscriptionId);
    }
    return bytes;
  }

  /** All cursors with attempts, for each subscription that has attempts of a replay. */
  #attemptsBesideReplays(): Map<string, SourceCursor[]> {
    const attempted = [...this.#touched].filter(({ pending }) => pending.length > 0);
    const replayed = new Map<string, SourceCursor[]>();
    for (const { replayId, subscription } of attempted)
      if (replayId !== undefined) replayed.set(subscription.subscriptionId, []);
    for (const cursor of attempted) replayed.get(cursor.subscription.subscriptionId)?.push(cursor);
    return replayed;
  }

  #takeLast(records: DeliveryOutgoing[], bytesMax: number): void {
    let bytes = 0;
    for (const [key, outgoing] of this.#trailing) {
      bytes += cursorBytes;
      if (bytes > bytesMax && records.length > 0) return;
      this.#trailing.delete(key);
      records.push(outgoing);
    }
  }

  #takeTogether(together: ReadonlySet<SourceCursor>, records: DeliveryOutgoing[]): void {
    for (const cursor of together) applyUnparked(cursor);
    const attempts = [...together].flatMap(({ pending }) => pending);
    if (together.size > 1) attempts.sort((one, other) => one.sequence - other.sequence);
    for (const { record } of attempts) records.push(outgoingOf(record, this.#options));
    for (const cursor of together) this.#takeCursor(cursor, records);
  }

  #takeCursor(cursor: SourceCursor, records: DeliveryOutgoing[]): void {
    const { partition, ambient } = this.#options;
    this.#touched.delete(cursor);
    this.#pendingBytes -= cursor.pendingBytes;
    cursor.pending = [];
    cursor.pendingBytes = 0;
    if (cursor.subscription.closed) return;
    const at = ambient.now();
    for (const record of filteredRecords(cursor, at)) records.push(outgoingOf(record, this.#options));
    for (const record of waitingRecords(cursor, at)) records.push({ topic: 'cursors', partition, record });
    records.push(positionRecord(cursor, partition, at));
    cursor.markRecorded();
  }

  #reset(): void {
    this.#positions = {};
    this.#completions = 0;
    this.#isDue = false;
    if (this.#timerMs === 0) return;
    clearTimeout(this.#timer);
    this.#timerMs = Number.POSITIVE_INFINITY;
  }

  #flushWithin(ms: number): void {
    if (ms >= this.#timerMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = ms;
    this.#timer = setTimeout(() => this.flush(), ms);
  }
}
