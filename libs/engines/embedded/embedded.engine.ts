// The embedded engine: every port in this process, stored in SQLite files in one data directory.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PortError } from '../../domain/port-error.ts';
import { viewDefinitions } from '../../domain/views/index.ts';
import { SoleOwner } from '../../log/sole-owner.ts';
import { SqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { SqliteViewStore } from '../../view-store/sqlite/sqlite-view-store.ts';
import { Closer } from '../shutdown/closer.ts';
import { configSummary, readConfig, serviceUrl } from '../config/config.ts';
import type { Config } from '../config/config.ts';
import { makeDataDir } from '../config/data-dir.ts';
import type { RebuildingEngine, Ports, Stores, EngineRequirements } from '../engine.ts';
import { fileSizes } from '../metrics/store-metrics.ts';
import type { StoreSize } from '../metrics/store-metrics.ts';
import { openWorkers } from '../workers.ts';
import { loadMasterKey } from './master-key.ts';

/** Fixed when a log is created. Enough that one busy source does not slow down others; each costs a loop per stage. */
const partitions = 4;

export const embedded: RebuildingEngine = {
  name: 'embedded',
  readConfig: () => readConfig(),
  summary: configSummary,
  healthPort: () => 0,
  rebuildUrl: ({ host, port }) => `${serviceUrl(host, port)}/rebuild`,
  open: (config, requirements) => Closer.closeOnFailure((closer) => open(config, requirements, closer)),
  openStores: (config) => Closer.closeOnFailure((closer) => openStores(config, closer)),
};

async function open(config: Config, requirements: EngineRequirements, closer: Closer): Promise<Ports> {
  const { log, ...stores } = await openStores(config, closer, (message) => requirements.logger.warn(message));
  const masterKey = config.masterKey ?? (await loadMasterKey(config.dataDir, (await log.end('keys', 0)) > 0));
  const { retentionBytes: max } = config;
  const logBytes = max === undefined ? undefined : { max, used: () => log.usedBytes };
  const sizes = async (): Promise<readonly StoreSize[]> => [
    ...(await fileSizes('log', logFile(config))),
    { store: 'log', part: 'used', bytes: log.usedBytes },
    ...(await fileSizes('views', viewsFile(config))),
  ];
  return { log, ...stores, masterKey, logBytes, sizes, ...(await openWorkers(config, requirements, closer)) };
}

export const logFile = ({ dataDir }: Config): string => join(dataDir, 'log.sqlite');
const viewsFile = ({ dataDir }: Config): string => join(dataDir, 'views.sqlite');

/** Throws if the log's file is lost: otherwise a new, empty log would silently be created. */
function checkLogExists(config: Config): void {
  const [log, views] = [logFile(config), viewsFile(config)];
  if (existsSync(log) || !existsSync(views)) return;
  throw new PortError(
    'corrupt',
    `${views} is there, but the log ${log} that it was made from is not: put the log back, from a backup if need be, ` +
      `or move ${views} away to start with an empty log`,
  );
}

/** Opens the log first: its lock makes this process the only user of the directory. */
async function openStores(
  config: Config,
  closer: Closer,
  onFresh?: (message: string) => void,
): Promise<Stores & { readonly log: SqliteLog }> {
  await makeDataDir(config.dataDir);
  checkLogExists(config);
  const log = closer.add(await SqliteLog.open({ file: logFile(config), partitions }));
  const views = closer.add(
    await SqliteViewStore.open({ file: viewsFile(config), definitions: viewDefinitions, ...(onFresh && { onFresh }) }),
  );
  return { log, views, ownership: new SoleOwner(log.partitions), close: () => closer.close() };
}
