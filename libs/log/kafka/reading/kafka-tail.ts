// Implements the log port's tail on Kafka: a follower whose messages it reads as records.
import type { TopicName } from '../../../domain/flow.ts';
import { Tail, type Page, type PageBounds, type Position } from '../../log.ts';
import { recordOf } from '../encoding/cloud-event.ts';
import type { KafkaNames } from '../kafka-names.ts';
import { Follower } from './follower.ts';
import type { RemovedRange } from './follower.ts';
import type { PollerPool } from './poller-pool.ts';

export interface TailOptions {
  readonly names: KafkaNames;
  readonly pollers: PollerPool;
  readonly from: readonly Position[];
  readonly bounds: PageBounds;
  /** Called with the offset up to which each partition was read; `topic` is its name on Kafka. */
  readonly reached: (topic: string, partition: number, next: number) => void;
  readonly onRemoved: (removed: RemovedRange<TopicName>) => void;
  /** Called once, when it is closed. */
  readonly onClose: (tail: KafkaTail) => void;
}

export class KafkaTail extends Tail {
  readonly #names: KafkaNames;
  readonly #follower: Follower;
  readonly #topics: ReadonlyMap<string, TopicName>;
  readonly #reached: TailOptions['reached'];
  readonly #onClose: TailOptions['onClose'];

  constructor({ names, pollers, from, bounds, reached, onRemoved, onClose }: TailOptions) {
    super();
    this.#names = names;
    this.#reached = reached;
    this.#onClose = onClose;
    this.#topics = new Map(from.map(({ topic }) => [names.topic(topic), topic]));
    const positions = from.map((position) => ({ ...position, topic: names.topic(position.topic) }));
    this.#follower = new Follower(pollers, positions, bounds, (removed) => {
      const topic = this.#topics.get(removed.topic);
      if (topic !== undefined) onRemoved({ ...removed, topic });
    });
  }

  async next(waitMs: number): Promise<readonly Page[]> {
    const pages = await this.#follower.next(waitMs);
    return pages.map(({ topic: kafkaTopic, partition, messages, next, more }) => {
      const topic = this.#topics.get(kafkaTopic);
      if (topic === undefined) throw new Error(`${kafkaTopic} was never followed`);
      this.#reached(kafkaTopic, partition, next);
      const records = messages.map((message) => recordOf(message, topic, partition));
      return { topic, partition, records, next, ...(more ? { more } : {}) };
    });
  }

  pause(topic: TopicName, partition: number): void {
    this.#follower.pause(this.#names.topic(topic), partition);
  }

  resume(topic: TopicName, partition: number): void {
    this.#follower.resume(this.#names.topic(topic), partition);
  }

  async close(): Promise<void> {
    this.#follower.close();
    this.#onClose(this);
  }
}
