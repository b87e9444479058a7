// Keeps the list of the log's topics, on its settings topic. A listed topic that is missing was deleted, and is never
// created again: it would begin at offset 0, and readers, who are further, would miss all records until it is as long.
import { PortError } from '../../../domain/port-error.ts';
import type { RequestLane } from '../producing/request-lane.ts';
import type { PartitionReader } from '../reading/ranges/partition-reader.ts';
import { settingsTopicRecord } from './settings-topic-record.ts';

const type = 'TopicsListed';
/** Each version that adds a topic adds a record, and so does each process that creates the log at the same time. */
const pageBounds = { recordsMax: 100, bytesMax: 1024 * 1024 } as const;

/** All topics that any process has listed, with the prefix. Empty if an earlier version created the log. */
export async function readListedTopics(settings: string, reader: PartitionReader): Promise<ReadonlySet<string>> {
  const listed = new Set<string>();
  for (let from = 0; ;) {
    const { messages, next } = await reader.page(settings, 0, from, pageBounds);
    if (messages.length === 0) return listed;
    const lists = messages.filter(({ headers }) => String(headers['ce_type']) === type);
    for (const topic of lists.flatMap(({ value }) => parseListedTopics(settings, value))) listed.add(topic);
    from = next;
  }
}

function parseListedTopics(settings: string, value: Buffer | null): readonly string[] {
  try {
    return (JSON.parse(String(value)) as { readonly topics: readonly string[] }).topics;
  } catch (error) {
    throw new PortError(
      'corrupt',
      `${settings} holds a list of topics that cannot be read; use another topic prefix`,
      error,
    );
  }
}

/** To be called once all of `topics` exist. */
export async function listTopics(
  settings: string,
  topics: readonly string[],
  { reader, lane }: { readonly reader: PartitionReader; readonly lane: RequestLane },
): Promise<void> {
  const listed = await readListedTopics(settings, reader);
  if (topics.every((topic) => listed.has(topic))) return;
  await lane.submit(settingsTopicRecord(settings, { type, key: 'topics', data: { topics } }));
}

/** The error message for deleted topics: what happened, and what to do. */
export const deletedTopicsMessage = (topics: readonly string[]): string =>
  `${topics.length === 1 ? 'the topic' : 'the topics'} ${topics.join(', ')} of this log ` +
  `${topics.length === 1 ? 'was' : 'were'} deleted from Kafka, and what was there is lost: ` +
  'bring the brokers back from a backup, or begin another log with another KAFKA_TOPIC_PREFIX';
