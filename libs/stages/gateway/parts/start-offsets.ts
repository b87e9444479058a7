// Finds the offset of a time on `channels` before a command is sent with it: in lifecycle all others would wait.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { PartitionOffset } from '../../../domain/listener/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Log } from '../../../log/log.ts';
import { offsetAt } from '../../../log/offset-at.ts';
import { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import { FairTurns } from '../http/limits/fair-turns.ts';

/** A look-up takes some thirty reads of one record in each partition, one after the other. */
const turns = {
  atOnce: 4,
  perOwnerAtOnce: 2,
  /** About ten seconds of waiting if a look-up takes 300 ms. */
  perOwnerMax: 64,
  totalMax: 256,
  full: () => new TooManyWaiting('Too many new subscriptions wait for the place of their time.'),
};
/** Partitions that are searched at once, over all look-ups. */
const partitionsAtOnce = 16;

export class StartOffsets {
  readonly #log: Pick<Log, 'read' | 'end' | 'partitions'>;
  readonly #turns = new FairTurns(turns);
  readonly #searches = new Semaphore(partitionsAtOnce);

  constructor(log: Pick<Log, 'read' | 'end' | 'partitions'>) {
    this.#log = log;
  }

  /** The offset of the time, or else the end, in each partition of the sources. Throws TooManyWaiting or PortError. */
  find(workspace: string, emitterId: string, time: Millis): Promise<readonly PartitionOffset[]> {
    const { partitions } = this.#log;
    const searchedPartitions = isEverySource(emitterId)
      ? Array.from({ length: partitions }, (_, partition) => partition)
      : [partitionOf(emitterId, partitions)];
    return this.#turns.run(workspace, () =>
      Promise.all(searchedPartitions.map((partition) => this.#search(partition, time))),
    );
  }

  #search(partition: number, time: Millis): Promise<PartitionOffset> {
    const topicPartition = { topic: 'channels', partition } as const;
    return this.#searches.run(async () => ({ partition, offset: await offsetAt(this.#log, topicPartition, time) }));
  }
}
