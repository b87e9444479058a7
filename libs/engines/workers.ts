// The ports that work on this machine, alike on every engine: where components run, and how deliveries leave.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { EgressGuard } from '../egress/index.ts';
import { IsolatedVmSandbox } from '../sandbox/isolated-vm/isolated-vm-sandbox.ts';
import { UndiciWebhook } from '../webhooks/undici/undici-webhook.ts';
import type { Closing } from './closing.ts';
import type { Config } from './config/config.ts';
import type { Ports, Wanted } from './engine.ts';

/** Components run beside this process, never in it; when one dies the others go on. */
const runnersMax = 4;

/** Those of the named ports that are workers. */
export async function openWorkers(
  config: Config,
  { ports, logger }: Wanted,
  closing: Closing,
): Promise<Pick<Ports, 'sandbox' | 'webhook'>> {
  const webhook = ports.has('webhook')
    ? new UndiciWebhook({ guard: new EgressGuard(config.egressAllow, config.egressMap) })
    : undefined;
  if (webhook !== undefined) closing.add(webhook);
  const sandbox = ports.has('sandbox') ? closing.add(await startSandbox(config, logger)) : undefined;
  return { ...(webhook && { webhook }), ...(sandbox && { sandbox }) };
}

function startSandbox(
  { dataDir, egressAllow, egressMap, authoritiesFile }: Config,
  logger: Logger,
): Promise<IsolatedVmSandbox> {
  return IsolatedVmSandbox.start({
    runners: Math.min(availableParallelism(), runnersMax),
    cacheDir: join(dataDir, 'cache'),
    egress: { allow: egressAllow, map: egressMap, authoritiesFile },
    onTrouble: (trouble) => logger.warn({ port: 'sandbox' }, trouble),
  });
}
