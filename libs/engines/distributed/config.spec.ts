import { ConfigError } from '../config/settings.ts';
import type { Environment } from '../config/settings.ts';
import { distributedSummary, readDistributedConfig } from './config.ts';
import { databaseOf } from './parse.ts';

const key = Buffer.alloc(32, 7);
const least = {
  KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9092',
  MONGODB_URL: 'mongodb://db:27017/events',
  MASTER_KEY: key.toString('hex'),
};
const sasl = { KAFKA_USERNAME: 'app', KAFKA_PASSWORD: 'hidden-password' };

const refusal = (environment: Environment): string => {
  try {
    readDistributedConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('servers and the master key are enough; the rest has the documented defaults', () => {
  const { kafka, ...config } = readDistributedConfig(least);
  expect(config).toMatchObject({
    port: 3000,
    healthPort: 0,
    masterKey: key,
    mongodbUrl: 'mongodb://db:27017/events',
  });
  expect(kafka).toEqual({
    brokers: ['kafka-1:9092', 'kafka-2:9092'],
    topicPrefix: '',
    partitions: 8,
    replicationFactor: 3,
    minInsyncReplicas: 2,
  });
});

test('a setting that only the log of a single machine has is refused', () => {
  expect(refusal({ ...least, RETENTION_BYTES: '20000000000' })).toContain('RETENTION_BYTES is for one machine');
  expect(readDistributedConfig({ ...least, RETENTION_DAYS: '7' }).retentionDays).toBe(7);
});

test.each(['127.0.0.1:19092', 'localhost:9092'])(
  'on a single local node, %s, the replication factor is 1',
  (KAFKA_BROKERS) => {
    const { kafka } = readDistributedConfig({ ...least, KAFKA_BROKERS });
    expect(kafka).toMatchObject({ replicationFactor: 1, minInsyncReplicas: 1 });
  },
);

test.each(['[::1]:9092', 'kafka:9092,[fd00::7]:9092', '::1', '::1:9092'])(
  'brokers with an IPv6 address, %s, are refused with a hint to give host names',
  (KAFKA_BROKERS) => {
    expect(refusal({ ...least, KAFKA_BROKERS })).toMatch(/is an IPv6 address; give a host name/);
  },
);

test('every setting is read from its variable', () => {
  const environment = {
    ...least,
    ...sasl,
    HEALTH_PORT: '8081',
    KAFKA_SSL: 'true',
    KAFKA_SASL_MECHANISM: 'scram-sha-256',
    KAFKA_TOPIC_PREFIX: 'team-a.',
    KAFKA_PARTITIONS: '24',
    KAFKA_REPLICATION_FACTOR: '5',
    KAFKA_MIN_INSYNC_REPLICAS: '3',
  };
  expect(readDistributedConfig(environment)).toMatchObject({
    healthPort: 8081,
    kafka: {
      ssl: true,
      sasl: { mechanism: 'scram-sha-256', username: 'app', password: 'hidden-password' },
      topicPrefix: 'team-a.',
      partitions: 24,
      replicationFactor: 5,
      minInsyncReplicas: 3,
    },
  });
});

test.each(['KAFKA_BROKERS', 'MONGODB_URL', 'MASTER_KEY'])(
  'without %s it refuses to start, and says what to give',
  (name) => {
    expect(refusal({ ...least, [name]: undefined })).toMatch(new RegExp(`${name} is not set: give `));
  },
);

test.each(['KAFKA_BROKERS', 'MONGODB_URL'])('with an empty %s it refuses to start, as without it', (name) => {
  expect(refusal({ ...least, [name]: '' })).toBe(refusal({ ...least, [name]: undefined }));
});

test.each([
  ['KAFKA_BROKERS', 'kafka'],
  ['KAFKA_BROKERS', 'kafka:9092,'],
  ['KAFKA_BROKERS', 'kafka:99999'],
  ['KAFKA_BROKERS', 'http://kafka:9092'],
  ['KAFKA_SSL', 'yes'],
  ['KAFKA_SASL_MECHANISM', 'gssapi'],
  ['KAFKA_TOPIC_PREFIX', 'team a'],
  ['KAFKA_PARTITIONS', '0'],
  ['KAFKA_PARTITIONS', '8.5'],
  ['KAFKA_REPLICATION_FACTOR', '-1'],
  ['HEALTH_PORT', '0'],
])('%s = %j is refused with its name, the value found and what to do', (name, value) => {
  const message = refusal({ ...least, ...sasl, [name]: value });
  expect(message).toContain(`${name} is ${JSON.stringify(value)}`);
  expect(message).toMatch(/give /);
});

test('settings that contradict each other are refused', () => {
  expect(refusal({ ...least, KAFKA_REPLICATION_FACTOR: '2', KAFKA_MIN_INSYNC_REPLICAS: '3' })).toContain('above');
  expect(refusal({ ...least, KAFKA_USERNAME: 'app' })).toContain('go together');
  expect(refusal({ ...least, KAFKA_SASL_MECHANISM: 'plain' })).toContain('needs KAFKA_USERNAME');
});

test.each([
  ['MONGO_URL', 'MONGODB_URL'],
  ['KAFKA_BROKER', 'KAFKA_BROKERS'],
  ['KAFKA_USER_NAME', 'KAFKA_USERNAME'],
  ['KAFKA_MIN_IN_SYNC_REPLICAS', 'KAFKA_MIN_INSYNC_REPLICAS'],
])('the misspelt name %s is refused and %s proposed', (found, name) => {
  expect(refusal({ ...least, [found]: 'x' })).toContain(`${found} is no setting: write ${name}, or remove it`);
});

test('neither the summary nor a refusal shows a secret', () => {
  const MONGODB_URL = 'mongodb://app:hidden-password@db:27017/events';
  const summary = distributedSummary(readDistributedConfig({ ...least, ...sasl, MONGODB_URL }));
  expect(summary).toMatchObject({
    KAFKA_USERNAME: 'app',
    KAFKA_PASSWORD: '(given)',
    MASTER_KEY: '(given)',
    MONGODB_URL: 'mongodb://app:...@db:27017/events',
  });
  expect(JSON.stringify(summary)).not.toContain('hidden-password');
  expect(refusal({ ...least, MONGODB_URL: 'mysql://app:hidden-password@db' })).not.toContain('hidden-password');
});

test.each([
  ['mongodb://db:27017/events', 'mongodb://db:27017/events'],
  ['mongodb+srv://app@db/events?tls=true', 'mongodb+srv://app@db/events?...'],
  ['mongodb://db/events?tls=true&tlsCertificateKeyFilePassword=hidden', 'mongodb://db/events?...'],
  [
    'mongodb://db/?proxyPassword=hidden&authMechanismProperties=AWS_SESSION_TOKEN:hidden',
    'mongodb://db/?... (database wellspring)',
  ],
  ['mongodb://db', 'mongodb://db (database wellspring)'],
  ['mongodb://db:27017/', 'mongodb://db:27017/ (database wellspring)'],
  ['mongodb://app:hidden@db/events?proxyPassword=hid@den', 'mongodb://app:...@db/events?...'],
  ['mongodb://app:hid?den@db/events?tls=true', 'mongodb://...'],
  ['mongodb://app:hid@den@db/events', 'mongodb://app:...@db/events'],
  ['mongodb://team/app:hidden@db/events', 'mongodb://team/app:...@db/events'],
])('the summary shows %s as %s', (MONGODB_URL, shown) => {
  expect(distributedSummary(readDistributedConfig({ ...least, MONGODB_URL })).MONGODB_URL).toBe(shown);
});

test.each([
  ['mongodb://db:27017/events', 'events', true],
  ['mongodb+srv://app:pass$word@db/events?tls=true', 'events', true],
  ['mongodb://team/app:hidden@db/an%2Devents', 'an-events', true],
  ['mongodb://a:1,b:2/test', 'test', true],
  ['mongodb://db:27017', 'wellspring', false],
  ['mongodb://db:27017/', 'wellspring', false],
  ['mongodb://app:a%2Fb@db?tlsCAFile=/etc/ca.pem', 'wellspring', false],
  ['mongodb://db/?authSource=admin', 'wellspring', false],
])('the views of %s are in the database %s', (url, database, isNamed) => {
  expect(databaseOf(url)).toEqual({ database, isNamed });
});

test.each(['a.b', 'a$b', 'a/b', 'a%20b', 'x'.repeat(64)])('the database %s is refused with what to give', (name) => {
  expect(refusal({ ...least, MONGODB_URL: `mongodb://db/${name}` })).toMatch(/MONGODB_URL .*give up to 63 letters/);
});
