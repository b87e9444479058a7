// Finds events of a new subscription that are already on the log: its cursors then begin behind the tail.
import { everySource, matches } from '../../../domain/delivery/matching.ts';
import { isSourceId } from '../../../domain/id.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { positionKey } from '../../../log/log.ts';
import type { EmittedRecord, EventBuffer } from '../events/buffer.ts';
import { cursorFrom } from '../subscriptions/cursor-of.ts';
import type { DeletionFact } from '../deletions/deletions.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import type { SourceRecordReader } from '../reading/source-record-reader.ts';
import { scan, scanSource } from '../reading/scan.ts';
import { logMissingBase, placeCursor, type Subscription } from '../subscriptions/subscription.ts';

export interface OpeningsOptions extends Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots' | 'logError'> {
  readonly sourceRecords: SourceRecordReader;
  readonly buffer: EventBuffer;
  readonly outbox: Outbox;
  /** The offset that the tail has reached. */
  readonly tailAt: () => number;
  readonly deleted: (fact: DeletionFact) => void;
  /** The subscription's cursors may continue. */
  readonly opened: (subscription: Subscription) => void;
}

export class Openings {
  readonly #options: OpeningsOptions;
  #underWay = 0;
  /** The position on `subscriptions` to reach once nothing is under way. */
  #reaches: number | undefined;
  #closed = false;

  constructor(options: OpeningsOptions) {
    this.#options = options;
  }

  /** Nothing is sent for the subscription until the search reaches the tail: a later record may delete an event. */
  open(subscription: Subscription): void {
    const { logError, tailAt } = this.#options;
    const { base } = subscription;
    if (base === undefined) return logMissingBase(subscription, logError);
    if (base >= tailAt()) return;
    subscription.opening = true;
    this.#underWay++;
    this.#find(subscription, base).then(
      () => this.#opened(subscription),
      (error: unknown) => {
        if (!this.#closed) this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  /** Everything on `subscriptions` below `next` was taken. Waits for searches under way: a restart must repeat them. */
  moved(next: number): void {
    this.#reaches = next;
    this.#move();
  }

  close(): void {
    this.#closed = true;
  }

  #find(subscription: Subscription, base: number): Promise<void> {
    const { tailAt, deleted } = this.#options;
    const { emitterId } = subscription;
    const range = { from: base, to: tailAt, goesOn: (): boolean => !this.#closed && !subscription.closed };
    const take = (record: RecordOn<'channels'>): void => {
      if (record.workspace !== subscription.workspace) return;
      if (record.type === 'EventsDeleted') deleted(record);
      else if (record.type === 'EventEmitted' && matches(subscription, record.data)) this.#missed(subscription, record);
    };
    if (emitterId === everySource || !isSourceId(emitterId))
      return scan(this.#options, { ...range, topic: 'channels' }, take);
    // Behind its first event only deletions matter.
    const onlyDeletions = (): boolean => subscription.cursors?.has(emitterId) === true;
    return scanSource(this.#options, { ...range, emitterId, onlyDeletions }, take);
  }

  #missed(subscription: Subscription, { offset, data: { emitterId } }: EmittedRecord): void {
    const { buffer, outbox } = this.#options;
    if (subscription.cursors?.has(emitterId) === true) return;
    const cursor = cursorFrom(subscription, emitterId, { next: offset, buffer });
    cursor.miss(offset);
    placeCursor(subscription, cursor);
    outbox.touch(cursor);
  }

  #opened(subscription: Subscription): void {
    if (this.#closed) return;
    this.#underWay--;
    subscription.opening = false;
    if (!subscription.closed) this.#options.opened(subscription);
    this.#move();
  }

  #move(): void {
    const { context, outbox } = this.#options;
    if (this.#underWay > 0 || this.#reaches === undefined) return;
    outbox.moved(positionKey('subscriptions', context.partition), this.#reaches);
    this.#reaches = undefined;
  }
}
