// Makes an AsyncAPI 3 document of the topics: channels, operations of each stage, messages with headers and data.
import { flow, partitionCount, stageNames } from '../../../libs/domain/flow.ts';
import type { TopicName } from '../../../libs/domain/flow.ts';
import { headers, partitionText } from './catalog.ts';
import type { Catalog, CatalogMessage, CatalogTopic } from './catalog.ts';
import { schemaRef } from './json-schema.ts';
import type { Schema } from './json-schema.ts';

/** The default of KAFKA_PARTITIONS. */
const partitionsDefault = 8;
const kafkaBindings = '0.5.0';

export function asyncApi({ topics, shapes }: Catalog, version: string): object {
  const messages = new Map(topics.flatMap((topic) => topic.messages.map((one) => [one.type, message(one)])));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Wellspring',
      version,
      description:
        'The topics of the distributed engine. Every record is a CloudEvent in binary mode. ' +
        'topics.md says how to read them. New message types, headers and properties may be added at any time.',
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: '{broker}',
        protocol: 'kafka',
        description: 'One of KAFKA_BROKERS.',
        variables: { broker: { default: '127.0.0.1:19092', description: 'host:port' } },
      },
    },
    channels: Object.fromEntries(topics.map((topic) => [topic.name, channel(topic)])),
    operations: Object.assign({}, ...stageNames.map(operations)),
    components: {
      messages: Object.fromEntries(messages),
      schemas: { CloudEventHeaders: headersSchema(), ...Object.fromEntries(shapes) },
    },
  };
}

function channel({ name, about, topic, messages }: CatalogTopic): object {
  return {
    address: name,
    description: `${about} Partitions: ${partitionText[topic.partitions]}. Key: ${topic.key}.`,
    messages: Object.fromEntries(messages.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }])),
    bindings: {
      kafka: {
        partitions: partitionCount(name, partitionsDefault),
        topicConfiguration: topic.compacted
          ? { 'cleanup.policy': ['compact'] }
          : { 'cleanup.policy': ['delete'], 'retention.ms': -1, 'retention.bytes': -1 },
        bindingVersion: kafkaBindings,
      },
    },
  };
}

function operations(stage: (typeof stageNames)[number]): object {
  const { writes, requests, tells, reads, tails, awaits = [], looksUp } = flow[stage];
  const operationsOf = (action: 'send' | 'receive', names: readonly TopicName[]): [string, object][] =>
    names.map((name) => [
      `${stage}.${action}.${name}`,
      { action, channel: { $ref: `#/channels/${name}` }, tags: [{ name: stage }] },
    ]);
  return Object.fromEntries([
    ...operationsOf('receive', [...reads, ...tails, ...awaits, ...looksUp]),
    ...operationsOf('send', [...new Set([...requests, ...tells]), ...writes]),
  ]);
}

function message({ type, about, data }: CatalogMessage): object {
  return {
    name: type,
    summary: about,
    headers: {
      allOf: [{ $ref: schemaRef('CloudEventHeaders') }, { type: 'object', properties: { ce_type: { const: type } } }],
    },
    payload: data,
    bindings: { kafka: { key: { type: 'string' }, bindingVersion: kafkaBindings } },
  };
}

function headersSchema(): Schema & { readonly examples: readonly object[] } {
  return {
    type: 'object',
    properties: Object.fromEntries(headers.map(({ name, about }) => [name, { type: 'string', description: about }])),
    required: headers.filter(({ optional }) => !optional).map(({ name }) => name),
    examples: [Object.fromEntries(headers.map(({ name, example }) => [name, example]))],
  };
}
