// Takes a product's topics off the brokers that it shared: each that is left costs the broker time for as long as it runs.
import { connect } from 'node:net';
import { Names } from '../../../libs/log/kafka/topic-names.ts';
import { topicNames } from '../../../libs/domain/flow.ts';

/** DeleteTopics, version 1: the oldest that brokers take, without tagged fields. */
const [deleteTopics, version] = [20, 1];
/** For the broker, and for its answer on a busy machine. */
const timeoutMs = 10_000;

/** Those that are there of a log with the prefix; resolves when the broker has answered. Throws when it cannot be reached. */
export async function removeTopics(brokers: string, prefix: string): Promise<void> {
  const [host = '', port = ''] = (brokers.split(',')[0] ?? '').split(':');
  const names = new Names(prefix);
  const request = framed(requestOf([...topicNames.map((name) => names.topic(name)), names.settings, names.replies]));
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port: Number(port) }, () => socket.write(request));
    socket.setTimeout(2 * timeoutMs, () => socket.destroy(new Error(`${brokers} did not answer`)));
    socket.once('data', () => socket.destroy());
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

/** Correlation id 1, no client id. */
function requestOf(topics: readonly string[]): Buffer {
  const header = Buffer.concat([int16(deleteTopics), int16(version), int32(1), int16(-1)]);
  return Buffer.concat([header, int32(topics.length), ...topics.map(string), int32(timeoutMs)]);
}

const framed = (body: Buffer): Buffer => Buffer.concat([int32(body.length), body]);
const string = (text: string): Buffer => Buffer.concat([int16(Buffer.byteLength(text)), Buffer.from(text)]);

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
