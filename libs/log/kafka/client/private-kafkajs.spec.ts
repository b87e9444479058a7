import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import kafkajs from 'kafkajs';
import { calmRequestQueues, createCluster, sourcesUsed } from './private-kafkajs.ts';

const require = createRequire(import.meta.url);
const home = dirname(require.resolve('kafkajs/package.json'));

test('kafkajs is the version whose inside was read', () => {
  expect(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))).toMatchObject({ version: '2.2.4' });
});

test('none of the sources that are relied on has changed: read them again before this hash is', () => {
  const hash = createHash('sha256');
  for (const source of sourcesUsed) hash.update(readFileSync(join(home, source)));
  expect(hash.digest('hex')).toBe('4c865eef2e2565a8c25cae0934729e7ee7a78a9a83c669a72c58fa80b616066b');
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
