// Names on Kafka: topics, transactional ids and groups, all with one prefix.
import type { LogPartition } from '../appending/access.ts';
import type { TopicPartition } from './kafkajs/client/offsets.ts';
import type { StageName, TopicName } from '../../domain/flow.ts';

export class KafkaNames {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  topic(name: TopicName): string {
    return this.#prefix + name;
  }

  /** The same partitions by their names on Kafka. */
  topicPartitionsOf(partitions: readonly LogPartition[]): readonly TopicPartition[] {
    return partitions.map(({ topic, partition }) => ({ topic: this.topic(topic), partition }));
  }

  /** The topic of the settings that were fixed when the log was created, and of the list of topics. */
  get settings(): string {
    return `${this.#prefix}settings`;
  }

  /** The topic of transient answers from runtime to gateways. */
  get replies(): string {
    return `${this.#prefix}replies`;
  }

  /** The transactional id, the same for every owner of the partition: Kafka fences all but the last that uses it. */
  transactionalId(stage: StageName, partition: number): string {
    return `${this.#prefix}${stage}-${partition}`;
  }

  groupId(stage: StageName): string {
    return `${this.#prefix}${stage}`;
  }
}
