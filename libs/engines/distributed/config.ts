// The additional configuration of the distributed engine: its servers, and how they store the log.
import { configOf, configSummary, settingNames } from '../config/config.ts';
import type { Config, Summary } from '../config/config.ts';
import { parseChoice, parseCount, parseFlag, parsePort } from '../config/parse.ts';
import { Settings } from '../config/settings.ts';
import type { Environment, SettingTraits } from '../config/settings.ts';
import { databaseOf, parseBrokers, parseMongoUrl, parseTopicPrefix, withoutSecrets } from './parse.ts';

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

export interface KafkaSasl {
  readonly mechanism: (typeof saslMechanisms)[number];
  readonly username: string;
  readonly password: string;
}

export interface KafkaConfig {
  /** `host:port` each; the client discovers other brokers through these. */
  readonly brokers: readonly string[];
  /** TLS with the system's certificate authorities. */
  readonly ssl?: true;
  readonly sasl?: KafkaSasl;
  /** Prefix of every topic, group and transactional id. */
  readonly topicPrefix: string;
  /** Partition count of partitioned topics; fixed when the log is created. */
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly minInsyncReplicas: number;
}

export interface DistributedConfig extends Config {
  readonly masterKey: Buffer;
  /** Port on which a process without the API answers `GET /health`; 0: a free port, printed at start. */
  readonly healthPort: number;
  readonly kafka: KafkaConfig;
  readonly mongodbUrl: string;
}

const distributedNames = {
  ...settingNames,
  HEALTH_PORT: { typosMax: 1 },
  KAFKA_BROKERS: { typosMax: 1 },
  KAFKA_SSL: {},
  KAFKA_SASL_MECHANISM: { typosMax: 2 },
  KAFKA_USERNAME: { typosMax: 1 },
  KAFKA_PASSWORD: { typosMax: 1, secret: true },
  KAFKA_TOPIC_PREFIX: { typosMax: 2 },
  KAFKA_PARTITIONS: { typosMax: 1 },
  KAFKA_REPLICATION_FACTOR: { typosMax: 2 },
  KAFKA_MIN_INSYNC_REPLICAS: { typosMax: 2 },
  MONGODB_URL: { typosMax: 2, secret: true },
} as const satisfies Record<string, SettingTraits>;
type DistributedName = keyof typeof distributedNames;

/** Enough for eight busy instances of a stage; each partition costs every stage a loop and a producer. */
const partitionsDefault = 8;
/** Kafka accepts more, but each costs an open file per topic and a producer per stage. */
const partitionsMax = 1_000;
/** The replication of a cluster that survives the loss of a broker without losing data. */
const replicationFactorDefault = 3;
/** More copies of a record are not used in practice. */
const replicationFactorMax = 9;

/** Throws ConfigError. */
export function readDistributedConfig(environment: Environment = process.env): DistributedConfig {
  const settings = new Settings(environment, distributedNames);
  const config = configOf(settings);
  const healthPort = settings.value('HEALTH_PORT', 0, parsePort);
  const kafka = kafkaOf(settings);
  const mongodbUrl = settings.value('MONGODB_URL', '', parseMongoUrl);
  if ((environment['KAFKA_BROKERS'] ?? '') === '')
    settings.addProblem('KAFKA_BROKERS', 'is not set: give host:port of one or more brokers, separated by commas');
  if ((environment['MONGODB_URL'] ?? '') === '')
    settings.addProblem('MONGODB_URL', 'is not set: give a URL such as mongodb://127.0.0.1:27017/wellspring');
  if (config.retentionBytes !== undefined)
    settings.addProblem(
      'RETENTION_BYTES',
      'is for one machine: remove it, and set RETENTION_DAYS by what the brokers have',
    );
  const { masterKey } = config;
  if (masterKey === undefined && environment['MASTER_KEY'] === undefined)
    settings.addProblem(
      'MASTER_KEY',
      'is not set: give every process the same, as `openssl rand -base64 32` prints one',
    );
  settings.check();
  if (masterKey === undefined) throw new Error('a configuration without a master key was accepted');
  return { ...config, masterKey, healthPort, kafka, mongodbUrl };
}

function kafkaOf(settings: Settings<DistributedName>): KafkaConfig {
  const brokers = settings.value('KAFKA_BROKERS', [], parseBrokers);
  const replicationDefault = brokers.length > 0 && brokers.every(isLocal) ? 1 : replicationFactorDefault;
  const count = parseCount(1, replicationFactorMax);
  const replicationFactor = settings.value('KAFKA_REPLICATION_FACTOR', replicationDefault, count);
  const minInsyncReplicas = settings.value('KAFKA_MIN_INSYNC_REPLICAS', Math.max(1, replicationFactor - 1), count);
  if (minInsyncReplicas > replicationFactor)
    settings.addProblem(
      'KAFKA_MIN_INSYNC_REPLICAS',
      `is ${minInsyncReplicas}, above KAFKA_REPLICATION_FACTOR (${replicationFactor}): nothing could be appended`,
    );
  const sasl = saslOf(settings);
  return {
    brokers,
    ...(settings.value('KAFKA_SSL', false, parseFlag) && { ssl: true }),
    ...(sasl && { sasl }),
    topicPrefix: settings.value('KAFKA_TOPIC_PREFIX', '', parseTopicPrefix),
    partitions: settings.value('KAFKA_PARTITIONS', partitionsDefault, parseCount(1, partitionsMax)),
    replicationFactor,
    minInsyncReplicas,
  };
}

function saslOf(settings: Settings<DistributedName>): KafkaSasl | undefined {
  const mechanism = settings.value('KAFKA_SASL_MECHANISM', undefined, parseChoice(...saslMechanisms));
  const username = settings.value('KAFKA_USERNAME', '', String);
  const password = settings.value('KAFKA_PASSWORD', '', String);
  const credentialCount = [username !== '', password !== ''].filter(Boolean).length;
  if (credentialCount === 1)
    settings.addProblem('KAFKA_USERNAME', 'and KAFKA_PASSWORD go together: give both, or none');
  if (credentialCount === 2) return { mechanism: mechanism ?? 'scram-sha-512', username, password };
  if (mechanism !== undefined && credentialCount === 0)
    settings.addProblem('KAFKA_SASL_MECHANISM', 'needs KAFKA_USERNAME and KAFKA_PASSWORD: give them, or remove it');
  return undefined;
}

/** Whether a broker is a developer's single node, which cannot keep a second copy. */
const isLocal = (broker: string): boolean => /^(localhost|127\.[\d.]+):\d+$/.test(broker);

export function distributedSummary(config: DistributedConfig): Summary<DistributedName> {
  const { kafka, mongodbUrl } = config;
  const { database, isNamed } = databaseOf(mongodbUrl);
  return {
    ...configSummary(config),
    HEALTH_PORT: config.healthPort === 0 ? '(a free one)' : String(config.healthPort),
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_SSL: String(kafka.ssl === true),
    KAFKA_SASL_MECHANISM: kafka.sasl?.mechanism ?? '(none)',
    KAFKA_USERNAME: kafka.sasl?.username ?? '(none)',
    KAFKA_PASSWORD: kafka.sasl === undefined ? '(none)' : '(given)',
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix === '' ? '(none)' : kafka.topicPrefix,
    KAFKA_PARTITIONS: String(kafka.partitions),
    KAFKA_REPLICATION_FACTOR: String(kafka.replicationFactor),
    KAFKA_MIN_INSYNC_REPLICAS: String(kafka.minInsyncReplicas),
    MONGODB_URL: isNamed ? withoutSecrets(mongodbUrl) : `${withoutSecrets(mongodbUrl)} (database ${database})`,
  };
}
