import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import kafkajs from 'kafkajs';
import { createCluster, sourcesUsed } from './private-api.ts';

const require = createRequire(import.meta.url);
const home = dirname(require.resolve('kafkajs/package.json'));

test('kafkajs has the version whose internals were reviewed', () => {
  expect(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))).toMatchObject({ version: '2.2.4' });
});

test('the internals of kafkajs that are relied on have not changed: review them before updating the hash', () => {
  const hash = createHash('sha256');
  for (const source of sourcesUsed) hash.update(readFileSync(join(home, source)));
  expect(hash.digest('hex')).toBe('61de5a172a57acda0bf3e7d693560f85344bc3ff8a253baf6a85e4f6abe61c45');
});

test('the internal cluster of kafkajs has the methods that are used', () => {
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
