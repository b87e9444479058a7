// How long a deploy with packages takes, with a registry on this machine, and the memory of such components.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { LocalRegistry } from '../../libs/packages/npm/fixture/local-registry.ts';
import { NpmPackages } from '../../libs/packages/npm/npm-packages.ts';
import { removeLater } from '../support/processes/left-behind.ts';
import { Product } from '../support/product.ts';
import { usageOfGroup } from './load/process-group.ts';
import { figure, type Bench, type Figure } from './report/figure.ts';

/** The path from the built bench to this project's packages, which the registry serves. */
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** The service starts the processes that wait for builds ten seconds after itself, and each takes a while. */
const prepareMs = 14_000;
/** Components whose memory is measured together. */
const measuredComponents = 8;
const largeBytes = 2 * 1024 * 1024;

export const deployBench: Bench = { name: 'deploy', run: deploy };

let componentCount = 0;
/** A different component at each call. */
const component = (imports: string): string => `${imports}
export default { name: 'Bench ${++componentCount}', version: '0.0.1', run() { this.$emit({ used: typeof used, n: ${componentCount} }); } };`;
const withOctokit = (): string => component("import { Octokit as used } from '@octokit/core@^7';");
const withLarge = (): string => component("import used from 'bench-large';");

async function deploy(): Promise<readonly Figure[]> {
  const registry = await LocalRegistry.start(modules);
  registry.publish({ name: 'bench-large', version: '1.0.0' }, { 'index.js': largeText() });
  await packTarballs(registry);
  const first = await Product.start({ env: { npm_config_registry: registry.url } });
  const product = await Product.start({ env: { npm_config_registry: registry.url } });
  try {
    const starting = await measureDeployMs(await clientOf(first), withOctokit());
    await first.remove();
    await new Promise((resolve) => setTimeout(resolve, prepareMs));
    const client = await clientOf(product);
    const code = withOctokit();
    const [cold, warm, identical] = [
      await measureDeployMs(client, code),
      await measureDeployMs(client, withOctokit()),
      await measureDeployMs(client, code),
    ];
    return [
      figure('deploy.first', starting, 'ms'),
      figure('deploy.cold', cold, 'ms', '<= 3,000 ms'),
      figure('deploy.warm', warm, 'ms', '<= 500 ms'),
      figure('deploy.identical', identical, 'ms', '<= 50 ms'),
      figure('deploy.resident', await residentMiB(product, client), 'MiB/component'),
      ...(await largeFigures(product, client)),
    ];
  } finally {
    await product.remove();
    await registry.close();
  }
}

const clientOf = async (product: Product): Promise<Client> =>
  createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });

/** Packs every tarball ahead, as a mirror has them: otherwise the packing would be measured too. */
async function packTarballs(registry: LocalRegistry): Promise<void> {
  const cacheDir = removeLater(await mkdtemp(join(tmpdir(), 'deploy-bench-')));
  const environment = { npm_config_registry: registry.url, HOME: cacheDir };
  const packages = new NpmPackages({ cacheDir, environment });
  try {
    const outcome = await packages.build({ code: withOctokit() });
    if (outcome.kind !== 'built') throw new Error(outcome.error.message);
  } finally {
    await packages.close();
  }
}

async function measureDeployMs(client: Client, component_code: string): Promise<number> {
  const from = performance.now();
  await client.deploySource({ component_code });
  return performance.now() - from;
}

/** Runs the source; returns the milliseconds until the run has ended. */
async function run(client: Client, id: string): Promise<number> {
  const from = performance.now();
  const ended = await client.runNowAndWait(id);
  if (!('outcome' in ended) || ended.outcome !== 'succeeded') throw new Error(`It ran as ${JSON.stringify(ended)}`);
  return performance.now() - from;
}

/** The memory of one more component that has run and stays loaded. */
async function residentMiB(product: Product, client: Client): Promise<number> {
  const deployAndRun = async (): Promise<void> => {
    const { id } = await client.deploySource({ component_code: withOctokit() });
    await run(client, id);
  };
  for (let count = 0; count < measuredComponents; count++) await deployAndRun();
  const before = usageOfGroup(product.pid).residentMiB;
  for (let count = 0; count < measuredComponents; count++) await deployAndRun();
  return (usageOfGroup(product.pid).residentMiB - before) / measuredComponents;
}

/** The time of a run of a large component: after a restart, when it is read from the log, and once it is loaded. */
async function largeFigures(product: Product, client: Client): Promise<readonly Figure[]> {
  const { id } = await client.deploySource({ component_code: withLarge() });
  await product.stop();
  await product.start();
  const [cold, warm] = [await run(client, id), await run(client, id)];
  return [figure('deploy.large.start', cold, 'ms'), figure('deploy.large.warm', warm, 'ms')];
}

/** Code that the bundler cannot remove: functions that the default export uses. */
function largeText(): string {
  const one = (n: number): string =>
    `function f${n}(a) { if (a > ${n}) return [a, '${String(n).repeat(20)}']; return { a, of: 'text ${n}', at: a * ${n} }; }\n`;
  let text = '';
  let count = 0;
  while (text.length < largeBytes) text += one(count++);
  return `${text}export default { ${Array.from({ length: count }, (_, n) => `f${n}`).join(', ')} };`;
}
