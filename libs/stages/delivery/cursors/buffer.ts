// Events held in memory for delivery: shared by the cursors that wait for them, and counted in bytes.
import type { EmittedEvent } from '../../../domain/channel/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { TaskContext } from '../../loop/stage.ts';

/** What an event needs in memory beside its body: the object, its ids, and its places in queues. */
const eventOverheadBytes = 512;

/** `tail`: it came in as it was emitted; `catchUp`: it was read again for those who are behind. */
export type Budget = 'tail' | 'catchUp';

/** An emitted event as it is sent. */
export interface BufferedEvent {
  readonly offset: number;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  readonly workspace: string;
  readonly correlationId: string;
  /** The id of its record. */
  readonly recordId: string;
  readonly body: string;
  /** How many sources in a row have led to it by their events. */
  readonly hops: number;
  /** It was asked for, and nothing has happened. */
  readonly isSample?: boolean;
  /** What it counts against: each has a bound of its own. */
  readonly budget: Budget;
  /** Queues that hold it. */
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

export class EventBuffer {
  readonly #bytes: Record<Budget, number> = { tail: 0, catchUp: 0 };

  /** Of what the tail brought. */
  get bytes(): number {
    return this.#bytes.tail;
  }

  get catchUpBytes(): number {
    return this.#bytes.catchUp;
  }

  hold(event: BufferedEvent): void {
    if (event.holders++ === 0) this.#bytes[event.budget] += sizeOf(event);
  }

  release(event: BufferedEvent): void {
    if (--event.holders === 0) this.#bytes[event.budget] -= sizeOf(event);
  }
}

export const sizeOf = (event: BufferedEvent): number => event.body.length + eventOverheadBytes;

/** An event of `channels` again; undefined: it is not there any more, or cannot be used. */
export async function reread(
  { log, partition }: Pick<TaskContext, 'log' | 'partition'>,
  offset: number,
): Promise<BufferedEvent | undefined> {
  const page = await log.read('channels', partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
  const record = page.records[0];
  if (record?.offset !== offset || record.type !== 'EventEmitted') return undefined;
  return bufferedEvent(record, 'catchUp');
}
