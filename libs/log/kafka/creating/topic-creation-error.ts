// Says why Kafka did not create the log's topics: kafkajs throws one error for all, without cause and topic.
import { PortError } from '../../../domain/port-error.ts';
import type { TopicSettings } from './topic-configs.ts';

interface RefusedTopic {
  readonly topic: string;
  readonly type: string;
  readonly message: string;
}

/** A broker that has just started counts as missing until the others know of it, so trying again may help. */
export function topicCreationError(error: unknown, { replicationFactor }: TopicSettings): unknown {
  // It is no failure that another process creates one of the topics at this moment.
  const refused = refusedTopicsOf(error).find(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
  if (refused === undefined) return error;
  const { topic, type, message } = refused;
  const advice =
    type === 'INVALID_REPLICATION_FACTOR'
      ? `: KAFKA_REPLICATION_FACTOR is ${replicationFactor}, so start as many brokers, or set it to how many there are`
      : '';
  return new PortError('unavailable', `Kafka does not create topic ${topic} (${type}: ${message})${advice}`, error);
}

const refusedTopicsOf = (error: unknown): readonly RefusedTopic[] =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)
    ? (error.errors as readonly RefusedTopic[])
    : [];
