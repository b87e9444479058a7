// Reads ranges of the log for cursors behind the tail, workspaces in turn; cursors near each other share a read.
import { isEverySource, matchesChannel } from '../../../domain/delivery/matching.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import { FairQueue } from '../../../primitives/sharing/fair-queue.ts';
import type { PageBounds } from '../../../log/log.ts';
import type { CheckedPage } from '../../loop/reading/unusable.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import type { SourceRecordReader } from '../reading/source-record-reader.ts';
import { isFilteredOut } from '../filters/subscription-filters.ts';
import { bufferedEvent } from '../events/buffer.ts';
import type { BufferedEvent, EmittedRecord, EventBuffer } from '../events/buffer.ts';
import type { LineReads } from './by-key/line-reads.ts';
import { ReadTimes } from './read-ahead.ts';
import type { SourceCursor } from './source-cursor.ts';

/**
 * The largest page: all of it is parsed in one turn of the event loop, a millisecond or so, in which events that
 * arrive are not sent. It has as many bytes as a pack of the embedded log, so that few packs are read twice.
 */
const pageBounds = { recordsMax: 512, bytesMax: 128 * 1024 };
/** The name under which these reads take turns with the workspaces whose retries are read again. */
const slotOwner = 'catch-up';
/** The most bytes that one cursor takes at a time, in addition to its first event. */
const takenBytesMax = 1024 * 1024;

export interface CatchUpOptions {
  readonly log: {
    read(topic: 'channels', partition: number, from: number, bounds: PageBounds): Promise<CheckedPage<'channels'>>;
  };
  readonly partition: number;
  readonly readSlots: Semaphore;
  readonly sourceRecords: Pick<SourceRecordReader, 'isSparse' | 'page'>;
  readonly buffer: EventBuffer;
  /** Reads for events that wait for others of their key. */
  readonly lines?: Pick<LineReads, 'requestRead' | 'close'>;
  readonly limits: Pick<DeliveryLimits, 'catchUpLow' | 'catchUpHigh' | 'catchUpBytesMax'>;
  /** The offset that the tail has reached. */
  readonly tailAt: () => number;
  /** Called when the cursor got events, has passed over some (`passed`), or has joined the tail. */
  readonly fed: (cursor: SourceCursor, passed: boolean) => void;
  readonly fail: (error: Error) => void;
}

export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #readQueue = new FairQueue<SourceCursor>(({ subscription }) => subscription.workspace);
  readonly #times = new ReadTimes();
  #reading = false;
  #closed = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** Call whenever a cursor might soon need events from the log. */
  requestRead(cursor: SourceCursor): void {
    this.#options.lines?.requestRead(cursor);
    if (!this.#needsRead(cursor)) return;
    this.#readQueue.add(cursor);
    this.#startReading();
  }

  /** Call when the cursor's turn to send has come but no event is in memory: it waits for the log. */
  readNow(cursor: SourceCursor): void {
    cursor.readAhead.isDue = true;
    this.requestRead(cursor);
  }

  /** Stops reading. */
  close(): void {
    this.#closed = true;
    this.#options.lines?.close();
    this.#readQueue.clear();
  }

  /** Whether to read now for the cursor: it takes events, and would otherwise soon have to wait for the log. */
  #needsRead(cursor: SourceCursor): boolean {
    const { queued, readAhead } = cursor;
    if (!this.#canTake(cursor)) return false;
    return queued === 0 || readAhead.runsOut(queued, performance.now(), this.#times.remainingMs);
  }

  /** Whether the cursor can hold more: not while it is blocked, and while memory is short only at its turn. */
  #canTake(cursor: SourceCursor): boolean {
    const { limits, buffer } = this.#options;
    const { queued, readAhead } = cursor;
    if (cursor.readFrom === null || cursor.isBlocked) return false;
    if (queued === 0 || buffer.catchUpBytes > limits.catchUpBytesMax) return queued === 0 && readAhead.isDue;
    return queued < limits.catchUpLow;
  }

  #startReading(): void {
    const { readSlots, fail } = this.#options;
    if (this.#reading || this.#closed) return;
    this.#reading = true;
    const wantedAt = performance.now();
    readSlots
      .run(() => this.#readOnce(), slotOwner)
      .then(
        () => {
          this.#reading = false;
          this.#times.recordRead(performance.now() - wantedAt);
          if (this.#readQueue.size > 0) this.#startReading();
        },
        (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
      );
  }

  async #readOnce(): Promise<void> {
    // Lets other work in between pages, even when the log answers at once.
    await new Promise((resolve) => setImmediate(resolve));
    const leader = this.#takeLeader();
    if (leader === undefined) return;
    const { cursor, from } = leader;
    const page = (await this.#readSource(cursor, from)) ?? (await this.#readAll(cursor, from));
    this.#readQueue.add(cursor);
    this.#distribute(page, cursor);
  }

  /** The next cursor that still needs a read, and the offset to read from. */
  #takeLeader(): { readonly cursor: SourceCursor; readonly from: number } | undefined {
    let leader: { readonly cursor: SourceCursor; readonly from: number } | undefined;
    const choose = (cursor: SourceCursor): boolean => {
      const from = cursor.readFrom;
      if (from !== null && this.#needsRead(cursor)) leader = { cursor, from };
      return false;
    };
    this.#readQueue.takeTurns(() => leader === undefined, choose);
    return leader;
  }

  /** Reads only the source's records; undefined: reading all records costs no more, or the index lacks this place. */
  async #readSource({ emitterId, readAhead }: SourceCursor, from: number): Promise<ReadPage | undefined> {
    const { sourceRecords } = this.#options;
    const others = (to: number): number => this.#othersBetween(from, to, emitterId);
    if (!(await sourceRecords.isSparse({ emitterId, from, recordsMax: readAhead.window, others }))) return undefined;
    const bounds = { recordsMax: readAhead.window, bytesMax: pageBounds.bytesMax, to: Infinity };
    const page = await sourceRecords.page(emitterId, from, bounds);
    return page && { from, end: page.next, events: eventsOf(page.records), onlySource: emitterId };
  }

  async #readAll(leader: SourceCursor, from: number): Promise<ReadPage> {
    const { log, partition } = this.#options;
    const tailAt = this.#options.tailAt();
    const recordsMax = Math.min(leader.readAhead.recordsToRead, pageBounds.recordsMax);
    const page = await log.read('channels', partition, from, { ...pageBounds, recordsMax });
    // An empty page means the end of the log: everything that the tail had reached before the read was read.
    const end = page.records.length === 0 ? Math.max(page.next, tailAt) : page.next;
    // Events after a change of filters that the tail has not applied yet are left to the tail.
    const change = page.records.findIndex(({ type, offset }) => type === 'FilterChanged' && offset >= tailAt);
    if (change < 0) return { from, end, events: eventsOf(page.records), onlySource: undefined };
    const [before, { offset: to = end } = {}] = [page.records.slice(0, change), page.records[change]];
    return { from, end: to, events: eventsOf(before), onlySource: undefined };
  }

  #othersBetween(from: number, to: number, emitterId: string): number {
    const others = new Set<string>();
    for (const { readFrom, emitterId: other } of this.#readQueue)
      if (other !== emitterId && readFrom !== null && readFrom >= from && readFrom <= to) others.add(other);
    return others.size;
  }

  /**
   * The cursor that the page was read for takes it even if it needs no more events by now, or only some that the tail
   * brings: otherwise the page would be read again.
   */
  #distribute({ from, end, events: records, onlySource }: ReadPage, leader: SourceCursor): void {
    if (this.#closed) return;
    const events = new PageEvents(records);
    for (const cursor of [...this.#readQueue]) {
      if (onlySource !== undefined && cursor.emitterId !== onlySource) continue;
      const at = cursor.readFrom;
      const canTake = cursor === leader ? this.#canTake(cursor) : this.#needsRead(cursor);
      if (at === null || !canTake) this.#readQueue.delete(cursor);
      else if (at >= from && (at < end || (at === end && cursor === leader))) this.#feed(cursor, events, end);
    }
  }

  #feed(cursor: SourceCursor, events: PageEvents, end: number): void {
    const { limits, buffer, tailAt, fed } = this.#options;
    const queuedBefore = cursor.queued;
    const { filtered } = cursor.position.counters;
    const window = buffer.catchUpBytes > limits.catchUpBytesMax ? 1 : cursor.readAhead.window;
    const taken = events.feedTo(cursor, Math.min(queuedBefore + window, limits.catchUpHigh));
    cursor.readAhead.recordRead(cursor.queued - queuedBefore, queuedBefore, performance.now());
    if (taken === 'all') {
      cursor.markReadTo(end);
      if (end >= tailAt()) cursor.joinTail(end);
    }
    this.#readQueue.delete(cursor);
    fed(cursor, cursor.position.counters.filtered > filtered);
    if (this.#needsRead(cursor)) this.#readQueue.add(cursor);
  }
}

interface ReadPage {
  readonly from: number;
  /** The end of the page, exclusive. */
  readonly end: number;
  readonly events: readonly EmittedRecord[];
  /** The only source whose records were read; undefined: those of all sources. */
  readonly onlySource: string | undefined;
}

const eventsOf = (records: readonly RecordOn<'channels'>[]): readonly EmittedRecord[] =>
  records.filter((record) => record.type === 'EventEmitted');

/** The records of one page by source; each becomes an event once, shared by all cursors that take it. */
class PageEvents {
  readonly #all: readonly PageEvent[];
  readonly #byEmitter: ReadonlyMap<string, readonly PageEvent[]>;

  constructor(records: readonly EmittedRecord[]) {
    this.#all = records.map((record) => ({ record, event: undefined }));
    this.#byEmitter = Map.groupBy(this.#all, ({ record }) => record.data.emitterId);
  }

  /** `some`: the cursor's queue is full before the end of the page. */
  feedTo(cursor: SourceCursor, queuedMax: number): 'all' | 'some' {
    const { eventName, workspace } = cursor.subscription;
    for (const entry of this.#eventsOf(cursor.emitterId)) {
      const { record } = entry;
      if (record.offset < (cursor.readFrom ?? 0)) continue;
      if (record.workspace !== workspace || !matchesChannel(eventName, record.data.channel)) continue;
      if (cursor.queued >= queuedMax || cursor.queuedBytes > takenBytesMax) return 'some';
      if (isFilteredOut(cursor.subscription, record)) cursor.skipFiltered(record);
      else cursor.queueFromLog((entry.event ??= bufferedEvent(record, 'catchUp')), record.data.event);
    }
    return 'all';
  }

  /** The source's events on the page; all of them for a replay of every source. */
  #eventsOf(emitterId: string): readonly PageEvent[] {
    return isEverySource(emitterId) ? this.#all : (this.#byEmitter.get(emitterId) ?? []);
  }
}

interface PageEvent {
  readonly record: EmittedRecord;
  event: BufferedEvent | undefined;
}
