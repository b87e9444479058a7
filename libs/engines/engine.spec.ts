import { readConfig } from './config/config.ts';
import { readDistributedConfig } from './distributed/config.ts';
import { distributed } from './distributed/distributed.engine.ts';
import { embedded } from './embedded/embedded.engine.ts';

const servers = { KAFKA_BROKERS: 'kafka:9092', MONGODB_URL: 'mongodb://db', MASTER_KEY: '0'.repeat(64) };

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fd00::7', '[fd00::7]'],
])('for a service that listens on %s the request to rebuild views goes to %s', (HOST, host) => {
  const config = readDistributedConfig({ ...servers, HOST, HEALTH_PORT: '8080' });
  expect(embedded.rebuildUrl(readConfig({ HOST }))).toBe(`http://${host}:3000/rebuild`);
  expect(distributed.rebuildUrl(config)).toBe(`http://${host}:8080/rebuild`);
});
