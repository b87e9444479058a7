import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import kafkajs from 'kafkajs';
import { calmRequestQueues, createCluster, encodeRecordsAtOnce, sourcesUsed } from './private-kafkajs.ts';
import { encodeRecord } from '../encoding/record-encoding.ts';

const require = createRequire(import.meta.url);
const home = dirname(require.resolve('kafkajs/package.json'));

test('kafkajs is the version whose inside was read', () => {
  expect(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))).toMatchObject({ version: '2.2.4' });
});

test('none of the sources that are relied on has changed: read them again before this hash is', () => {
  const hash = createHash('sha256');
  for (const source of sourcesUsed) hash.update(readFileSync(join(home, source)));
  expect(hash.digest('hex')).toBe('26e017271cb3198548f9a8e510203cebbe19b25591590acf099d4453b3b269b7');
});

test('the cluster beneath the clients has what is used of it', () => {
  const cluster = createCluster(new kafkajs.Kafka({ brokers: ['127.0.0.1:1'], logLevel: kafkajs.logLevel.NOTHING }));
  for (const method of [
    'connect',
    'addMultipleTargetTopics',
    'refreshMetadata',
    'refreshMetadataIfNecessary',
    'findLeaderForPartitions',
    'findBroker',
    'findGroupCoordinator',
    'findControllerBroker',
    'removeBroker',
    'isConnected',
  ])
    expect(cluster).toHaveProperty(method, expect.any(Function));
});

test('an idle connection sets no timer, and a throttled one a single timer in the future', () => {
  calmRequestQueues();
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

test('a produce request takes our encoding of records, and makes of it the batch that it makes of theirs', async () => {
  const records = [1, 2, 3].map((n) => ({ offsetDelta: n, timestampDelta: 0, key: 'key', value: `value ${n}` }));
  const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0');
  const batchOf = async (): Promise<Buffer> => {
    const encode = require('kafkajs/src/protocol/recordBatch/record/v0');
    return (await RecordBatch({ firstTimestamp: 1, maxTimestamp: 1, records: records.map(encode) })).buffer;
  };
  const theirs = await batchOf();
  encodeRecordsAtOnce();
  expect(require('kafkajs/src/protocol/recordBatch/record/v0')(records[0])).toMatchObject({
    buf: encodeRecord({ ...records[0] }),
  });
  expect(await batchOf()).toEqual(theirs);
});
