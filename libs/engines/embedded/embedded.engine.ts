// The embedded engine: every port in this process, stored in SQLite files in one data directory.
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { viewDefinitions } from '../../domain/views/index.ts';
import { EgressGuard } from '../../egress/index.ts';
import { SqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { IsolatedVmSandbox } from '../../sandbox/isolated-vm/isolated-vm-sandbox.ts';
import { SqliteViewStore } from '../../view-store/sqlite/sqlite-view-store.ts';
import { UndiciWebhook } from '../../webhooks/undici/undici-webhook.ts';
import { Closing } from '../closing.ts';
import type { Config } from '../config.ts';
import type { Engine, Ports, Stores } from '../engine.ts';
import { keptMasterKey } from './master-key.ts';

/** Fixed when a log is made. Enough that one busy emitter leaves others alone; each costs a loop per stage. */
const partitions = 4;
/** Components run beside this process, never in it; when one dies the others go on. */
const runnersMax = 4;

export const embedded: Engine = {
  name: 'embedded',
  open: (config, logger) => Closing.onFailure((closing) => open({ config, logger, closing })),
  openStores: (config) => Closing.onFailure((closing) => openStores(config, closing)),
};

async function open(of: { config: Config; logger: Logger; closing: Closing }): Promise<Ports> {
  const { config, logger, closing } = of;
  const stores = await openStores(config, closing);
  const masterKey = config.masterKey ?? (await keptMasterKey(config.dataDir));
  const webhook = closing.add(new UndiciWebhook({ guard: new EgressGuard(config.egressAllow) }));
  const sandbox = closing.add(
    await IsolatedVmSandbox.start({
      runners: Math.min(availableParallelism(), runnersMax),
      cacheDir: join(config.dataDir, 'cache'),
      onTrouble: (trouble) => logger.warn({ port: 'sandbox' }, trouble),
    }),
  );
  return { ...stores, webhook, sandbox, masterKey };
}

/** The log first: its lock makes this process the only user of the directory. */
async function openStores(config: Config, closing: Closing): Promise<Stores> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const log = closing.add(await SqliteLog.open({ file: join(config.dataDir, 'log.sqlite'), partitions }));
  const file = join(config.dataDir, 'views.sqlite');
  const views = closing.add(await SqliteViewStore.open({ file, definitions: viewDefinitions }));
  return { log, views, close: () => closing.close() };
}
