import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { encodeRecord, type ProtocolRecord } from './record-encoding.ts';
import './repair.ts';

const require = createRequire(import.meta.url);
const leaderNotAvailable = 5;
const unknownTopic = 3;
const notAllowed = 29;

interface Connection {
  socket?: Socket;
  connect(): Promise<true>;
  disconnect(): Promise<true>;
  isConnected(): boolean;
}

test('an idle connection sets no timer, a throttled one sets a single timer in the future', () => {
  const RequestQueue = require('kafkajs/src/network/requestQueue');
  const queue = {
    throttledUntil: -1,
    pending: [] as unknown[],
    throttleCheckTimeoutId: null as NodeJS.Timeout | null,
    checkPendingRequests: () => {},
  };
  const schedule = (): void => RequestQueue.prototype.scheduleCheckPendingRequests.call(queue);
  schedule();
  expect(queue.throttleCheckTimeoutId).toBeNull();
  queue.throttledUntil = Date.now() + 60_000;
  schedule();
  const timer = queue.throttleCheckTimeoutId;
  schedule();
  expect(timer).not.toBeNull();
  expect(queue.throttleCheckTimeoutId).toBe(timer);
  clearTimeout(timer ?? undefined);
});

test('a produce request uses our encoding of records and gives the same batch as with that of kafkajs', async () => {
  const records = [1, 2, 3].map((n) => ({ offsetDelta: n, timestampDelta: 0, key: 'key', value: `value ${n}` }));
  const ours = require('kafkajs/src/protocol/recordBatch/record/v0');
  expect(ours(records[0])).toMatchObject({ buf: encodeRecord({ ...records[0] }) });
  const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0');
  const batchOf = async (encode: (record: ProtocolRecord) => unknown): Promise<Buffer> =>
    (await RecordBatch({ firstTimestamp: 1, maxTimestamp: 1, records: records.map(encode) })).buffer;
  expect(await batchOf(ours)).toEqual(await batchOf(anew('kafkajs/src/protocol/recordBatch/record/v0')));
});

test('a partition without a leader is reported, and hides no other partition', async () => {
  const response = require('kafkajs/src/protocol/requests/metadata/v6/response');
  const metadata = (topicErrorCode: number, partitionErrorCode: number) => ({
    topicMetadata: [
      { topicErrorCode, topic: 't', partitionMetadata: [{ partitionErrorCode, partitionId: 0, leader: -1 }] },
    ],
  });
  expect(await response.parse(metadata(0, leaderNotAvailable))).toEqual(metadata(0, leaderNotAvailable));
  expect(await response.parse(metadata(unknownTopic, 0))).toEqual(metadata(unknownTopic, 0));
  await expect(response.parse(metadata(notAllowed, 0))).rejects.toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' });
});

test('two requests that need a connection at the same time open one', async () => {
  let dialled = 0;
  const connection = connectionOver(() => {
    dialled++;
    return nobodyIsThere();
  });
  const both = [connection.connect(), connection.connect()];
  for (const one of both) await expect(one).rejects.toThrow('nobody is there');
  expect(dialled).toBe(1);
});

test('a connection that is closed again and again leaves no listener on its destroyed socket', async () => {
  const socket = new Socket().destroy();
  const connection = connectionOver(nobodyIsThere);
  connection.socket = socket;
  for (let i = 0; i < 3; i++) await connection.disconnect();
  expect(socket.listenerCount('connect')).toBe(0);
  expect(connection.isConnected()).toBe(false);
});

test('disconnecting ends an open socket and does not keep the process alive', async () => {
  const socket = new Socket();
  const calls: string[] = [];
  socket.end = () => (calls.push('end'), socket);
  socket.unref = () => (calls.push('unref'), socket);
  const connection = connectionOver(nobodyIsThere);
  connection.socket = socket;
  await connection.disconnect();
  expect(calls).toEqual(['end', 'unref']);
});

function nobodyIsThere(): never {
  throw new Error('nobody is there');
}

/** A connection of kafkajs that dials with `socketFactory`. */
function connectionOver(socketFactory: () => Socket): Connection {
  const Connection = require('kafkajs/src/network/connection');
  return new Connection({
    host: '127.0.0.1',
    port: 1,
    logger: { namespace: () => ({ debug: () => {}, error: () => {}, warn: () => {} }) },
    socketFactory,
    connectionTimeout: 1_000,
  });
}

/** Loads the original module again, even if it was replaced. */
function anew(name: string): (record: ProtocolRecord) => unknown {
  const path = require.resolve(name);
  const loaded = require.cache[path];
  delete require.cache[path];
  const theirs = require(path);
  if (loaded !== undefined) require.cache[path] = loaded;
  return theirs;
}
