// The embedded engine: every port in this process, stored in SQLite files in one data directory.
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { viewDefinitions } from '../domain/views/index.ts';
import { EgressGuard } from '../egress/index.ts';
import { SqliteLog } from '../log/sqlite/sqlite-log.ts';
import { IsolatedVmSandbox } from '../sandbox/isolated-vm/isolated-vm-sandbox.ts';
import { SqliteViewStore } from '../view-store/sqlite/sqlite-view-store.ts';
import { UndiciWebhook } from '../webhooks/undici/undici-webhook.ts';
import type { Config } from './config.ts';
import type { Engine, Ports } from './engine.ts';
import { keptMasterKey } from './master-key.ts';

/** Fixed when a log is made. Enough that one busy emitter leaves others alone; each costs a loop per stage. */
const partitions = 4;
/** Components run beside this process, never in it; a second one takes over when one dies. */
const runnersMax = 4;

export const embedded: Engine = { name: 'embedded', open };

/** The log first: its lock makes this process the only user of the directory. */
async function open(config: Config, logger: Logger): Promise<Ports> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const log = await SqliteLog.open({ file: join(config.dataDir, 'log.sqlite'), partitions });
  const closing: { close(): Promise<void> }[] = [log];
  const opened = <T extends { close(): Promise<void> }>(port: T): T => {
    closing.unshift(port);
    return port;
  };
  const close = async (): Promise<void> => {
    for (const port of closing) await port.close();
  };
  try {
    const masterKey = config.masterKey ?? (await keptMasterKey(config.dataDir));
    const views = opened(
      await SqliteViewStore.open({ file: join(config.dataDir, 'views.sqlite'), definitions: viewDefinitions }),
    );
    const webhook = opened(new UndiciWebhook({ guard: new EgressGuard(config.egressAllow) }));
    const sandbox = opened(
      await IsolatedVmSandbox.start({
        runners: Math.min(availableParallelism(), runnersMax),
        cacheDir: join(config.dataDir, 'cache'),
      }),
    );
    return { log, views, webhook, sandbox, masterKey, close };
  } catch (error) {
    logger.error('the embedded engine could not be opened');
    await close();
    throw error;
  }
}
