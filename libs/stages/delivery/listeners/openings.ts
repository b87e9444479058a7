// Finds events for a new subscription that are already on the log: its cursors then begin behind the tail.
import type { Ambient } from '../../../domain/ambient.ts';
import { everySource, isEverySource, matches } from '../../../domain/delivery/matching.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { positionKey } from '../../../log/log.ts';
import type { EmittedRecord, EventBuffer } from '../events/buffer.ts';
import { newCursor } from '../subscriptions/cursor-of.ts';
import type { DeletionFact } from '../deletions/deletions.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { SharedScans } from '../reading/shared-scans.ts';
import type { SourceRecordReader } from '../reading/source-record-reader.ts';
import { scanSource } from '../reading/scan.ts';
import { openingAdvanced } from '../records/opening-records.ts';
import { logMissingBase, addCursor, type Subscription } from '../subscriptions/subscription.ts';

/** A search that lasts longer is recorded, so that the mark can move on; most end at once and need no record. */
const recordedAfterMs = 1_000;
/** Offsets between records of a search's progress: a restart reads no more than that again. */
const recordedEach = 32_768;

export interface OpeningsOptions extends Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots' | 'logError'> {
  readonly ambient: Pick<Ambient, 'now'>;
  readonly sourceRecords: SourceRecordReader;
  readonly buffer: EventBuffer;
  readonly outbox: Outbox;
  /** The offset that the tail has reached. */
  readonly tailAt: () => number;
  readonly deleted: (fact: DeletionFact) => void;
  /** Called when the subscription's cursors can continue. */
  readonly onOpened: (subscription: Subscription) => void;
}

interface Search {
  readonly subscription: Subscription;
  /** All events below this offset were found. */
  next: number;
}

export class Openings {
  readonly #options: OpeningsOptions;
  /** Searches of every source read the same records: those that begin together read them once. */
  readonly #scans: SharedScans;
  /** Running searches that are not on the log: a restart would not know of them. */
  readonly #unrecorded = new Set<Search>();
  /** The position on `subscriptions` to report once no search is unrecorded. */
  #pendingPosition: number | undefined;
  #recordTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: OpeningsOptions) {
    this.#options = options;
    this.#scans = new SharedScans(options);
  }

  /** Starts a search. Nothing is sent until it reaches the tail, because a later record can delete an event. */
  open(subscription: Subscription): void {
    const { logError, tailAt } = this.#options;
    const { base, searchedTo } = subscription;
    if (base === undefined) return logMissingBase(subscription, logError);
    const search = { subscription, next: searchedTo ?? base };
    if (search.next >= tailAt()) return this.#forget(subscription);
    subscription.opening = true;
    if (searchedTo === undefined) {
      this.#unrecorded.add(search);
      this.#recordTimer ??= setTimeout(() => this.#recordAll(), recordedAfterMs).unref();
    }
    this.#find(search).then(
      () => this.#finish(search),
      (error: unknown) => {
        if (!this.#closed) this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  /** Call when `subscriptions` was read up to `next`. The mark moves there once all running searches are recorded. */
  advanceTo(next: number): void {
    this.#pendingPosition = next;
    this.#advance();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#recordTimer);
  }

  #find(search: Search): Promise<void> {
    const { tailAt, deleted } = this.#options;
    const { subscription, next: from } = search;
    const { emitterId } = subscription;
    const shouldContinue = (): boolean => !this.#closed && !subscription.closed;
    const range = {
      from,
      to: tailAt,
      shouldContinue,
      onProgress: (next: number): void => this.#noteProgress(search, next),
    };
    const take = (record: RecordOn<'channels'>): void => {
      if (record.workspace !== subscription.workspace) return;
      // Deletions before the first event that was found do not matter.
      if (record.type === 'EventsDeleted' && subscription.cursors?.has(record.data.emitterId) === true) deleted(record);
      else if (record.type === 'EventEmitted' && matches(subscription, record.data))
        this.#addCursor(subscription, record);
    };
    const { workspace } = subscription;
    if (isEverySource(emitterId)) return this.#scans.scan({ ...range, emitterId: everySource, workspace }, take);
    // After its first event only deletions matter.
    const onlyDeletions = (): boolean => subscription.cursors?.has(emitterId) === true;
    return scanSource(this.#options, { ...range, emitterId, onlyDeletions }, take);
  }

  #addCursor(subscription: Subscription, { offset, data: { emitterId } }: EmittedRecord): void {
    const { buffer, outbox } = this.#options;
    if (subscription.cursors?.has(emitterId) === true) return;
    const cursor = newCursor(subscription, emitterId, { next: offset, buffer });
    cursor.markUnread(offset);
    addCursor(subscription, cursor);
    outbox.touch(cursor);
  }

  #finish(search: Search): void {
    if (this.#closed) return;
    const { subscription } = search;
    this.#unrecorded.delete(search);
    subscription.opening = false;
    if (!subscription.closed) {
      this.#forget(subscription);
      this.#options.onOpened(subscription);
    }
    this.#advance();
  }

  #noteProgress(search: Search, next: number): void {
    search.next = next;
    const { searchedTo } = search.subscription;
    if (searchedTo !== undefined && next - searchedTo >= recordedEach) this.#record(search);
  }

  #recordAll(): void {
    this.#recordTimer = undefined;
    for (const search of this.#unrecorded) this.#record(search);
    this.#unrecorded.clear();
    this.#advance();
  }

  #record({ subscription, next }: Search): void {
    if (subscription.closed) return;
    subscription.searchedTo = next;
    this.#write(subscription);
  }

  #forget(subscription: Subscription): void {
    if (subscription.searchedTo === undefined) return;
    subscription.searchedTo = undefined;
    this.#write(subscription);
  }

  /** Writes the search's record after the cursors that were found so far, and before the mark. */
  #write(subscription: Subscription): void {
    const { outbox, ambient, context } = this.#options;
    const { partition } = context;
    outbox.appendLast({ topic: 'cursors', partition, record: openingAdvanced(subscription, partition, ambient.now()) });
  }

  #advance(): void {
    const { context, outbox } = this.#options;
    if (this.#unrecorded.size > 0 || this.#pendingPosition === undefined) return;
    outbox.advancePosition(positionKey('subscriptions', context.partition), this.#pendingPosition);
    this.#pendingPosition = undefined;
  }
}
