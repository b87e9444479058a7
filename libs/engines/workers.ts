// Opens the ports that are the same on every engine: they build and run components, and send deliveries. Each is loaded
// only by a process whose stages need it.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Packages } from '../packages/packages.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Transformer } from '../sandbox/transformer.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Closer } from './shutdown/closer.ts';
import { npmEnvironment } from './config/config.ts';
import type { Config } from './config/config.ts';
import type { Ports, EngineRequirements } from './engine.ts';

/** The most processes in which components run; when one dies the others continue. */
const runnersMax = 4;

/** Opens the workers among the named ports. */
export async function openWorkers(
  config: Config,
  { ports, logger }: EngineRequirements,
  closer: Closer,
): Promise<Pick<Ports, 'sandbox' | 'packages' | 'webhook' | 'transformer'>> {
  const webhook = ports.has('webhook') ? closer.add(await openWebhook(config)) : undefined;
  const packages = ports.has('packages') ? closer.add(await openPackages(config, logger)) : undefined;
  const sandbox = ports.has('sandbox') ? closer.add(await startSandbox(config, logger)) : undefined;
  const transformer = ports.has('transformer') ? closer.add(await openTransformer()) : undefined;
  return {
    ...(webhook && { webhook }),
    ...(packages && { packages }),
    ...(sandbox && { sandbox }),
    ...(transformer && { transformer }),
  };
}

async function openWebhook({ egressAllow, egressMap, egressProxy }: Config): Promise<Webhook> {
  const [{ EgressGuard }, { UndiciWebhook }] = await Promise.all([
    import('../egress/index.ts'),
    import('../webhooks/undici/undici-webhook.ts'),
  ]);
  return new UndiciWebhook({ guard: new EgressGuard(egressAllow, egressMap, undefined, egressProxy) });
}

/** Opens the transformer; its processes start with the first transform. */
async function openTransformer(): Promise<Transformer> {
  const { IsolatedVmTransformer } = await import('../sandbox/isolated-vm/transform/isolated-vm-transformer.ts');
  return new IsolatedVmTransformer();
}

/** The wait after a start, which has other work; deploys seldom follow that soon. */
const prepareAfterMs = 10_000;

/** Opens the packages port; its processes start with the first build, or a while after the service has started. */
async function openPackages({ dataDir, egressAllow, authoritiesFile }: Config, logger: Logger): Promise<Packages> {
  const { NpmPackages } = await import('../packages/npm/npm-packages.ts');
  return new NpmPackages({
    cacheDir: join(dataDir, 'cache'),
    environment: npmEnvironment(),
    projectDir: process.cwd(),
    egressAllow,
    authoritiesFile,
    prepareAfterMs,
    onTrouble: (trouble) => logger.warn({ port: 'packages' }, trouble),
  });
}

async function startSandbox(
  { dataDir, egressAllow, egressMap, egressProxy, authoritiesFile }: Config,
  logger: Logger,
): Promise<Sandbox> {
  const { IsolatedVmSandbox } = await import('../sandbox/isolated-vm/isolated-vm-sandbox.ts');
  return IsolatedVmSandbox.start({
    runners: Math.min(availableParallelism(), runnersMax),
    cacheDir: join(dataDir, 'cache'),
    egress: { allow: egressAllow, map: egressMap, proxy: egressProxy, authoritiesFile },
    onTrouble: (trouble) => logger.warn({ port: 'sandbox' }, trouble),
  });
}
