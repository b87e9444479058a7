// Makes docs/topics.md: how to read the topics, who writes and reads each, and every message with its data.
import { headers, partitionText } from './catalog.ts';
import type { Catalog, CatalogMessage, CatalogTopic } from './catalog.ts';
import type { Schema } from './json-schema.ts';
import { readingText } from './reading-text.ts';

export function topicsPage({ topics, shapes }: Catalog): string {
  return [
    '# Topics',
    "<!-- made by `npm run topics` from libs/domain/flow.ts and the messages' types -->",
    readingText,
    '## Headers',
    'Each record is a [CloudEvent](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md) in binary mode: the envelope in headers, the data as JSON in the value.',
    table(
      ['header', 'says', 'example'],
      headers.map(({ name, about, example, optional }) => [
        `\`${name}\``,
        optional ? `${about} May be absent.` : about,
        `\`${example}\``,
      ]),
    ),
    '## All topics',
    table(
      ['topic', 'written by', 'read by', 'partitions', 'key', 'kept'],
      topics.map(({ name, writers, readers, topic }) => [
        `[\`${name}\`](#${name.replaceAll('.', '')})`,
        writers.join(', '),
        readers.join(', '),
        topic.partitions === 'one' ? 'one' : topic.partitions === 'emitter' ? 'by source' : 'by owner',
        topic.key,
        topic.compacted ? 'newest of each key' : 'forever',
      ]),
    ),
    ...topics.flatMap(topicSection),
    '## Shapes',
    'What several messages hold.',
    ...[...shapes].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, schema]) => [`### ${name}`, ...fields(schema)]),
  ].join('\n\n');
}

function topicSection({ name, about, topic, messages }: CatalogTopic): string[] {
  return [
    `## ${name}`,
    `${about} Partitions: ${partitionText[topic.partitions]}. Key: ${topic.key}.`,
    ...messages.flatMap(messageSection),
  ];
}

function messageSection({ type, about, data }: CatalogMessage): string[] {
  return [`### \`${type}\``, about, ...(data.$ref === undefined ? fields(data) : [`Its data is ${typeText(data)}.`])];
}

function fields({ description, properties = {}, required = [] }: Schema): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => [
    required.includes(name) ? `\`${name}\`` : `\`${name}\`, may be absent`,
    typeText(schema),
    schema.description ?? '',
  ]);
  const says = rows.some(([, , about]) => about !== '');
  const shown = says ? rows : rows.map((row) => row.slice(0, 2));
  return [
    ...(description === undefined ? [] : [description]),
    table(says ? ['field', 'type', 'says'] : ['field', 'type'], shown),
  ];
}

function typeText(schema: Schema): string {
  const { $ref, allOf, oneOf, type, items, additionalProperties, properties } = schema;
  if ($ref !== undefined) return shapeLink($ref);
  if (allOf?.[0] !== undefined) return typeText(allOf[0]);
  if (oneOf !== undefined) return oneOf.map(typeText).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map(literal).join(', ');
  if (schema.const !== undefined) return literal(schema.const);
  if (items !== undefined) return `list of ${typeText(items)}`;
  if (additionalProperties) return `object of ${typeText(additionalProperties)} by name`;
  if (properties !== undefined) return objectText(schema);
  return type === undefined ? 'any JSON' : [type].flat().join(' or ');
}

const objectText = ({ properties = {} }: Schema): string =>
  `{ ${Object.entries(properties)
    .map(([name, schema]) => `${name}: ${typeText(schema)}`)
    .join('; ')} }`;

const literal = (value: string | number | boolean | null): string => `\`${JSON.stringify(value)}\``;

function shapeLink(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return `[${name}](#${name.toLowerCase()})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
