// Chooses the engine on which the product starts: each Jest project names one, so that specs need not know it.
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export type EngineName = 'embedded' | 'distributed';

/** The engine of the spec's Jest project; a bench has no project. */
export const engine: EngineName = (globalThis as { productEngine?: EngineName }).productEngine ?? 'embedded';

/** Whether this runs from source, in a test, or from a built bench: the paths to the built product differ. */
const fromSource = extname(import.meta.url) === '.ts';
const entries: Readonly<Record<EngineName, string>> = {
  embedded: `${fromSource ? '../../dist' : '../..'}/run/standalone.js`,
  distributed: `${fromSource ? '../..' : '../../..'}/deploy/local/distributed.mjs`,
};
const rebuildEntries: Readonly<Record<EngineName, string>> = {
  embedded: `${fromSource ? '../../dist' : '../..'}/run/standalone-rebuild.js`,
  distributed: `${fromSource ? '../..' : '../../..'}/deploy/local/distributed-rebuild.mjs`,
};
/** Fewer than by default: each costs every process a producer, and suites start many products. */
const partitions = 4;

/** Node's compile cache of a run of all tests, for products that start many times; empty in a run of one spec. */
export const compileCache: Readonly<Record<string, string>> =
  process.env['NODE_COMPILE_CACHE'] === undefined ? {} : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

export const entry = fileURLToPath(new URL(entries[engine], import.meta.url));
/** The script that backs up the log; the distributed engine has none, because its brokers keep copies. */
export const backupEntry = fileURLToPath(
  new URL(`${fromSource ? '../../dist' : '../..'}/run/standalone-backup.js`, import.meta.url),
);

/** The script that rebuilds the views. */
export const rebuildEntry = fileURLToPath(new URL(rebuildEntries[engine], import.meta.url));

/** The memory settings with which `npm start` starts the embedded product; the distributed one sets its own. */
export const startSettings = engine === 'embedded' ? readStartSettings() : { flags: [], env: {} };

function readStartSettings(): { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const file = new URL(`${fromSource ? '../..' : '../../..'}/package.json`, import.meta.url);
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } };
  const [, env = '', flags = ''] = /exec env (.+) node (.+) \S+$/.exec(scripts.start) ?? [];
  if (flags === '') throw new Error('`npm start` does not say what the product is started with');
  return { flags: flags.split(' '), env: Object.fromEntries(env.split(' ').map((setting) => setting.split('='))) };
}

/** The variables of the product's servers: its own log and views, named after its data directory. */
export function serversFor(dataDir: string): Readonly<Record<string, string>> {
  return engine === 'embedded' ? {} : namespacedServers(basename(dataDir));
}

function namespacedServers(name: string): Readonly<Record<string, string>> {
  const { KAFKA_BROKERS, MONGODB_URL } = process.env;
  if (KAFKA_BROKERS === undefined || MONGODB_URL === undefined)
    throw new Error('set KAFKA_BROKERS and MONGODB_URL, as `npm run engines` prints them');
  const url = new URL(MONGODB_URL);
  url.pathname = `/${name}`;
  return {
    KAFKA_BROKERS,
    KAFKA_TOPIC_PREFIX: `${name}.`,
    KAFKA_PARTITIONS: String(partitions),
    MONGODB_URL: url.href,
  };
}
