// The embedded engine: every port in this process, stored in SQLite files in one data directory.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { viewDefinitions } from '../../domain/views/index.ts';
import { SoleOwner } from '../../log/sole-owner.ts';
import { SqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { SqliteViewStore } from '../../view-store/sqlite/sqlite-view-store.ts';
import { Closing } from '../closing.ts';
import { configSummary, readConfig, serviceUrl } from '../config/config.ts';
import type { Config } from '../config/config.ts';
import type { RebuildingEngine, Ports, Stores, Wanted } from '../engine.ts';
import { openWorkers } from '../workers.ts';
import { keptMasterKey } from './master-key.ts';

/** Fixed when a log is created. Enough that one busy emitter does not slow others; each costs a loop per stage. */
const partitions = 4;

export const embedded: RebuildingEngine = {
  name: 'embedded',
  readConfig: () => readConfig(),
  summary: configSummary,
  healthPort: () => 0,
  rebuildUrl: ({ host, port }) => `${serviceUrl(host, port)}/rebuild`,
  open: (config, wanted) => Closing.onFailure((closing) => open(config, wanted, closing)),
  openStores: (config) => Closing.onFailure((closing) => openStores(config, closing)),
};

async function open(config: Config, wanted: Wanted, closing: Closing): Promise<Ports> {
  const { log, ...stores } = await openStores(config, closing);
  const masterKey = config.masterKey ?? (await keptMasterKey(config.dataDir));
  const { retentionBytes: max } = config;
  const logBytes = max === undefined ? undefined : { max, used: () => log.usedBytes };
  return { log, ...stores, masterKey, logBytes, ...(await openWorkers(config, wanted, closing)) };
}

/** Opens the log first: its lock makes this process the only user of the directory. */
async function openStores(config: Config, closing: Closing): Promise<Stores & { readonly log: SqliteLog }> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const log = closing.add(await SqliteLog.open({ file: join(config.dataDir, 'log.sqlite'), partitions }));
  const file = join(config.dataDir, 'views.sqlite');
  const views = closing.add(await SqliteViewStore.open({ file, definitions: viewDefinitions }));
  return { log, views, ownership: new SoleOwner(log.partitions), close: () => closing.close() };
}
