// The distributed engine: the log on Kafka and the views in MongoDB, shared by any number of processes of each stage.
import { createHmac, randomBytes } from 'node:crypto';
import { idBytes, idFromBytes } from '../../domain/id.ts';
import { PortError } from '../../domain/port-error.ts';
import { viewDefinitions } from '../../domain/views/index.ts';
import { KafkaOwnership } from '../../log/kafka/assignment/kafka-ownership.ts';
import { KafkaLog } from '../../log/kafka/kafka-log.ts';
import type { KafkaLogSettings } from '../../log/kafka/kafka-log.ts';
import type { MongoViewStore } from '../../view-store/mongo/mongo-view-store.ts';
import { Closer } from '../shutdown/closer.ts';
import { serviceUrl } from '../config/config.ts';
import type { Ports, RebuildingEngine, Stores, EngineRequirements } from '../engine.ts';
import type { StoreSize } from '../metrics/store-metrics.ts';
import { openWorkers } from '../workers.ts';
import { distributedSummary, readDistributedConfig } from './config.ts';
import type { DistributedConfig } from './config.ts';
import { databaseOf } from './parse.ts';
import { retryUntilAvailable } from './retry-until-available.ts';
import { TopicWatch } from './topic-watch.ts';

/** The time limit of a health check, which is answered from memory. */
const answerMaxMs = 2_000;

export const distributed: RebuildingEngine<DistributedConfig> = {
  name: 'distributed',
  readConfig: () => readDistributedConfig(),
  summary: distributedSummary,
  healthPort: ({ healthPort }) => healthPort,
  rebuildUrl: (config) => `${healthUrl(config)}/rebuild`,
  open: (config, requirements) => Closer.closeOnFailure((closer) => open(config, requirements, closer)),
  openStores: (config) => Closer.closeOnFailure((closer) => openStores(config, closer)),
};

async function open(config: DistributedConfig, requirements: EngineRequirements, closer: Closer): Promise<Ports> {
  const { logger, instanceId, ports } = requirements;
  const onRemoved: KafkaLogSettings['onRemoved'] = (removed) =>
    logger.error(
      removed,
      'records were removed from Kafka before they were read: see that nothing but this program deletes records, ' +
        'and that the topic has retention.ms=-1 and retention.bytes=-1',
    );
  const kafka = { ...config.kafka, instanceId, onRemoved, masterKeyCheck: masterKeyCheckOf(config.masterKey) };
  const log = closer.add(await retryUntilAvailable('Kafka', () => KafkaLog.open(kafka), logger));
  const views = ports.has('views') ? closer.add(await openViews(config, log.id, requirements)) : undefined;
  return {
    log,
    ownership: new KafkaOwnership(kafka),
    ...(views && { views, sizes: () => viewSizes(views) }),
    ...(await openWorkers(config, requirements, closer)),
    watched: closer.add(new TopicWatch(log, logger)),
    masterKey: config.masterKey,
    close: () => closer.close(),
  };
}

/** Returns a value that differs between keys and reveals nothing else about them. */
const masterKeyCheckOf = (masterKey: Buffer): string =>
  createHmac('sha256', masterKey).update('the master key of a log').digest('base64');

async function openViews(
  config: DistributedConfig,
  log: string,
  { logger }: EngineRequirements,
): Promise<MongoViewStore> {
  const { MongoViewStore } = await loadMongo();
  const onFresh = (message: string): void => logger.info(message);
  const options = { ...viewsOf(config, log), onFresh };
  return retryUntilAvailable('MongoDB', () => MongoViewStore.open(options), logger);
}

const viewsOf = ({ mongodbUrl: url }: DistributedConfig, log: string) => ({
  url,
  database: databaseOf(url).database,
  definitions: viewDefinitions,
  log,
});

/** Returns only the sizes of the views: brokers have their own metrics of the log. */
async function viewSizes(views: MongoViewStore): Promise<readonly StoreSize[]> {
  const sizes = await views.sizes();
  if (sizes === undefined) return [];
  return (['documents', 'indexes'] as const).map((part) => ({ store: 'views', part, bytes: sizes[part] }));
}

/** Opens the stores for a single task, without waiting for servers that are unavailable. */
async function openStores(config: DistributedConfig, closer: Closer): Promise<Stores> {
  if (config.healthPort !== 0 && (await isProjectionAnswering(`${healthUrl(config)}/health`)))
    throw new PortError('in_use', `a projection answers at ${healthUrl(config)}: it is the one to be asked`);
  const instanceId = idFromBytes('gw', randomBytes(idBytes));
  const kafka = { ...config.kafka, instanceId, masterKeyCheck: masterKeyCheckOf(config.masterKey) };
  const log = closer.add(await KafkaLog.open(kafka));
  const { MongoViewStore } = await loadMongo();
  const views = closer.add(await MongoViewStore.open(viewsOf(config, log.id)));
  return { log, views, ownership: new KafkaOwnership(kafka), close: () => closer.close() };
}

/** Loaded only by processes that use views: the driver is a tenth of all code to load. */
const loadMongo = () => import('../../view-store/mongo/mongo-view-store.ts');

const healthUrl = ({ host, healthPort }: DistributedConfig): string => serviceUrl(host, healthPort);

/** Whether a projection answers at the URL: another program on the port must not receive the API key. */
async function isProjectionAnswering(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerMaxMs) });
    const { details } = (await answer.json()) as { readonly details?: Readonly<Record<string, unknown>> };
    return details?.['projection'] !== undefined;
  } catch {
    return false;
  }
}
