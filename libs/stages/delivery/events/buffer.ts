// Counts the bytes of events in memory for delivery, which are shared by the cursors that wait for them.
import type { EmittedEvent } from '../../../domain/channel/messages.ts';
import type { OrderKey } from '../../../domain/delivery/order/order-key.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { defaultLimits, type DeliveryLimits } from '../delivery-limits.ts';

/** The memory that an event needs in addition to its body: the object, its ids, and its places in queues. */
const eventOverheadBytes = 512;

/**
 * `tail`: read as it was emitted; `catchUp`: read again for cursors that are behind; `lines`: read again, kept until
 * earlier events of its key are finished.
 */
export type Budget = 'tail' | 'catchUp' | 'lines';

/** An emitted event as it is sent. */
export interface BufferedEvent {
  readonly offset: number;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  readonly workspace: string;
  readonly correlationId: string;
  /** The id of the event's record. */
  readonly recordId: string;
  readonly body: string;
  /** How many sources in a row led to this event, each by emitting an event. */
  readonly hops: number;
  /** Whether it is a sample that a user requested, so that nothing happened at the source. */
  readonly isSample?: boolean;
  /** The budget that it counts against; each has its own limit. */
  readonly budget: Budget;
  /** Its order keys, by pointer; absent: no cursor that holds it orders by key. */
  orderKeys?: Map<string, OrderKey>;
  /** The same event as lines hold it. */
  lineCopy?: BufferedEvent;
  /** How many queues hold it. */
  holders: number;
}

export type EmittedRecord = StoredRecord<EmittedEvent>;

export function bufferedEvent(record: EmittedRecord, budget: Budget): BufferedEvent {
  const { emitterId, eventId, channel, event, hops = 0, sample } = record.data;
  return {
    offset: record.offset,
    emitterId,
    eventId,
    channel,
    workspace: record.workspace,
    correlationId: record.correlationId,
    recordId: record.id,
    body: JSON.stringify(event),
    hops,
    ...(sample === true ? { isSample: true } : {}),
    budget,
    holders: 0,
  };
}

/** The event as lines hold it, perhaps for long: an event that was read again counts against their budget. */
export const lineCopyOf = (event: BufferedEvent): BufferedEvent =>
  event.budget === 'catchUp' ? (event.lineCopy ??= { ...event, budget: 'lines', holders: 0 }) : event;

export class EventBuffer {
  readonly #bytes: Record<Budget, number> = { tail: 0, catchUp: 0, lines: 0 };
  readonly #lineBytesMax: number;

  /** `lineBytesMax`: see the limits of delivery. */
  constructor({ lineBytesMax }: Pick<DeliveryLimits, 'lineBytesMax'> = defaultLimits) {
    this.#lineBytesMax = lineBytesMax;
  }

  /** Bytes of events from the tail. */
  get bytes(): number {
    return this.#bytes.tail;
  }

  get catchUpBytes(): number {
    return this.#bytes.catchUp;
  }

  get lineBytes(): number {
    return this.#bytes.lines;
  }

  /** Whether lines hold so much that they stop reading ahead. */
  get areLinesFull(): boolean {
    return this.#bytes.lines >= this.#lineBytesMax;
  }

  hold(event: BufferedEvent): void {
    if (event.holders++ === 0) this.#bytes[event.budget] += sizeOf(event);
  }

  release(event: BufferedEvent): void {
    if (--event.holders === 0) this.#bytes[event.budget] -= sizeOf(event);
  }
}

export const sizeOf = (event: BufferedEvent): number => event.body.length + eventOverheadBytes;

/** Reads an event of `channels` again; undefined if it is gone or cannot be used. */
export async function reread(
  { log, partition }: Pick<TaskContext, 'log' | 'partition'>,
  offset: number,
): Promise<BufferedEvent | undefined> {
  const page = await log.read('channels', partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
  const record = page.records[0];
  if (record?.offset !== offset || record.type !== 'EventEmitted') return undefined;
  return bufferedEvent(record, 'catchUp');
}
