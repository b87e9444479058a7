// The distributed engine: the log on Kafka and the views in MongoDB, shared by any number of processes of each stage.
import { viewDefinitions } from '../../domain/views/index.ts';
import { KafkaOwnership } from '../../log/kafka/assignment/kafka-ownership.ts';
import { KafkaLog } from '../../log/kafka/kafka-log.ts';
import type { ViewStore } from '../../view-store/view-store.ts';
import { MongoViewStore } from '../../view-store/mongo/mongo-view-store.ts';
import { Closing } from '../closing.ts';
import type { Engine, Ports, Wanted } from '../engine.ts';
import { openWorkers } from '../workers.ts';
import { distributedSummary, readDistributedConfig } from './config.ts';
import type { DistributedConfig } from './config.ts';
import { onceAvailable } from './once-available.ts';

export const distributed: Engine<DistributedConfig> = {
  name: 'distributed',
  readConfig: () => readDistributedConfig(),
  summary: distributedSummary,
  healthPort: ({ healthPort }) => healthPort,
  open: (config, wanted) => Closing.onFailure((closing) => open(config, wanted, closing)),
};

async function open(config: DistributedConfig, wanted: Wanted, closing: Closing): Promise<Ports> {
  const { logger, instanceId, ports } = wanted;
  const kafka = { ...config.kafka, instanceId };
  const log = closing.add(await onceAvailable('Kafka', () => KafkaLog.open(kafka), logger));
  const views = ports.has('views') ? closing.add(await openViews(config, wanted)) : undefined;
  return {
    log,
    ownership: new KafkaOwnership(kafka),
    ...(views && { views }),
    ...(await openWorkers(config, wanted, closing)),
    masterKey: config.masterKey,
    close: () => closing.close(),
  };
}

function openViews({ mongodbUrl: url }: DistributedConfig, { logger }: Wanted): Promise<ViewStore> {
  const onFresh = (message: string): void => logger.info(message);
  return onceAvailable('MongoDB', () => MongoViewStore.open({ url, definitions: viewDefinitions, onFresh }), logger);
}
