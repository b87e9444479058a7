// One send: what kafkajs is given, and each record's offset from what it answers.
import kafkajs, { type ICustomPartitioner, type ProducerBatch, type RecordMetadata, type TopicMessages } from 'kafkajs';
import { limits } from '../limits.ts';
import type { Numbered } from './batches.ts';

const { CompressionTypes } = kafkajs;

interface Sender {
  sendBatch(batch: ProducerBatch): Promise<RecordMetadata[]>;
}

/** Every record says its partition. */
export const explicitPartitions: ICustomPartitioner =
  () =>
  ({ message }) => {
    if (message.partition === undefined) throw new Error('a record was sent without its partition');
    return message.partition;
  };

/** Sends and writes each record's offset into `offsets`. Throws when any of them was not answered for. */
export async function send(sender: Sender, numbered: readonly Numbered[], offsets: number[]): Promise<void> {
  const bytes = numbered.reduce((sum, { row }) => sum + row.bytes, 0);
  const answers = await sender.sendBatch({
    acks: -1,
    compression: bytes < limits.compressFromBytes ? CompressionTypes.None : CompressionTypes.ZSTD,
    topicMessages: messagesByTopic(numbered),
  });
  const next = new Map(answers.map((answer) => [`${answer.topicName}/${answer.partition}`, Number(answer.baseOffset)]));
  for (const { row, index } of numbered) {
    const place = `${row.topic}/${row.partition}`;
    const offset = next.get(place);
    // kafkajs leaves a partition out, without an error, when its leader moved to a broker that had already answered.
    if (offset === undefined || !(offset >= 0)) throw new Error(`the brokers did not answer for ${place}`);
    offsets[index] = offset;
    next.set(place, offset + 1);
  }
}

function messagesByTopic(numbered: readonly Numbered[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { row } of numbered) {
    const { topic, partition, key, value, headers, timestamp } = row;
    let entry = topics.get(topic);
    if (entry === undefined) topics.set(topic, (entry = { topic, messages: [] }));
    entry.messages.push({ partition, key, value, headers: { ...headers }, timestamp });
  }
  return [...topics.values()];
}
