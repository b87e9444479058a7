// Collects the data for the documents about topics: every topic with its writers, readers and messages.
import { flow, stageNames, topicNames, topics } from '../../../libs/domain/flow.ts';
import type { StageName, Topic, TopicName } from '../../../libs/domain/flow.ts';
import { TypeReader } from './json-schema.ts';
import type { Schema } from './json-schema.ts';
import { messageTexts, topicTexts } from './message-types.ts';
import type { MessageType } from './message-types.ts';

export interface CatalogMessage {
  readonly type: string;
  readonly about: string;
  readonly data: Schema;
}

export interface CatalogTopic {
  readonly name: TopicName;
  readonly about: string;
  readonly topic: Topic;
  readonly writers: readonly StageName[];
  readonly readers: readonly StageName[];
  readonly messages: readonly CatalogMessage[];
}

export interface Catalog {
  readonly topics: readonly CatalogTopic[];
  /** Schemas that several messages share, by name. */
  readonly shapes: ReadonlyMap<string, Schema>;
}

export interface Header {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  /** Absent: it is always there. */
  readonly optional?: true;
}

/** The headers that libs/log/kafka/encoding/cloud-event.ts writes. */
export const headers: readonly Header[] = [
  { name: 'content-type', about: 'Of the value.', example: 'application/json' },
  { name: 'ce_specversion', about: 'CloudEvents.', example: '1.0' },
  { name: 'ce_id', about: "The record's id; a copy has the same one.", example: 'rec_8Zx0PqLm3RtYw5Vb' },
  { name: 'ce_type', about: 'The message type.', example: 'EventEmitted' },
  { name: 'ce_source', about: '`/wellspring/` and the topic, without its prefix.', example: '/wellspring/channels' },
  { name: 'ce_time', about: 'When it happened, to the millisecond.', example: '2026-01-31T12:00:00.000Z' },
  { name: 'ce_version', about: 'Of the shape of the data, from 1.', example: '1' },
  { name: 'ce_workspace', about: 'Whose record it is.', example: 'o_4rTq9KsWm1XcVb7N', optional: true },
  {
    name: 'ce_correlationid',
    about:
      'Shared by everything that one request led to: its id, `/` and the actor, and behind another `/` the trace context that it came with.',
    example: 'req_0VIAfnmc5DsAq3We9Kd2/key_9Nb3VcXz1LkJh5Gf',
    optional: true,
  },
  {
    name: 'ce_causationid',
    about: 'The record that this one follows from.',
    example: 'rec_7Hy6TgRf4EdWs2Qa',
    optional: true,
  },
  {
    name: 'ce_traceparent',
    about: 'W3C Trace Context: the trace, and the step that made the record. Marks and older records have none.',
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    optional: true,
  },
  {
    name: 'ce_actor',
    about:
      'Who began what led to the record: the id of an API key, or a stage, which is `gateway` for requests without a key. Marks and older records have none.',
    example: 'key_9Nb3VcXz1LkJh5Gf',
    optional: true,
  },
  {
    name: 'ce_append',
    about: "The append it came with: the writer's generation and batch. Requests have none.",
    example: '3/1204',
    optional: true,
  },
];

export function readCatalog(): Catalog {
  const types = new TypeReader();
  return { topics: topicNames.map((name) => catalogTopic(name, types)), shapes: types.shapes };
}

function catalogTopic(name: TopicName, types: TypeReader): CatalogTopic {
  return {
    name,
    about: topicTexts[name],
    topic: topics[name],
    writers: stageNames.filter((stage) => {
      const { writes, requests, tells } = flow[stage];
      return [...writes, ...requests, ...tells].includes(name);
    }),
    readers: readersOf(name),
    messages: types.messages(name).map(({ type, data }) => ({ type, about: messageTexts[type as MessageType], data })),
  };
}

/** A topic without other readers is its writer's memory, which it reads when it takes over a partition. */
function readersOf(name: TopicName): readonly StageName[] {
  const readers = stageNames.filter((stage) => {
    const { reads, tails, awaits = [], looksUp } = flow[stage];
    return [...reads, ...tails, ...awaits, ...looksUp].includes(name);
  });
  if (readers.length > 0) return readers;
  const { writer }: Topic = topics[name];
  return writer === 'many' ? [] : [writer];
}

export const partitionText: Readonly<Record<Topic['partitions'], string>> = {
  emitter: "by source, `KAFKA_PARTITIONS` of them: `fnv1a32(source's id) % count`",
  one: 'one',
  owned: "the owned partition's number",
};
