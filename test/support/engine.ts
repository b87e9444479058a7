// Which engine the product is started on, and how: each of Jest's projects names one, and no spec needs to know.
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export type EngineName = 'embedded' | 'distributed';

/** Of the project that a spec runs in; a bench runs in none. */
export const engine: EngineName = (globalThis as { productEngine?: EngineName }).productEngine ?? 'embedded';

/** The built product, seen from a test's source and from a built bench. */
const fromSource = extname(import.meta.url) === '.ts';
const entries: Readonly<Record<EngineName, string>> = {
  embedded: `${fromSource ? '../../dist' : '../..'}/run/standalone.js`,
  distributed: `${fromSource ? '../..' : '../../..'}/deploy/local/distributed.mjs`,
};
const rebuildEntries: Readonly<Record<EngineName, string>> = {
  embedded: `${fromSource ? '../../dist' : '../..'}/run/standalone-rebuild.js`,
  distributed: `${fromSource ? '../..' : '../../..'}/deploy/local/distributed-rebuild.mjs`,
};
/** Fewer than by default: each costs every process a producer, and a suite starts many products. */
const partitions = 4;

/** Where a run of all tests keeps what Node has compiled, for products that are started many times; nothing in a run of one spec. */
export const compileCache: Readonly<Record<string, string>> =
  process.env['NODE_COMPILE_CACHE'] === undefined ? {} : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

export const entry = fileURLToPath(new URL(entries[engine], import.meta.url));
/** What backs the log up: on the distributed engine the brokers keep copies of it. */
export const backupEntry = fileURLToPath(
  new URL(`${fromSource ? '../../dist' : '../..'}/run/standalone-backup.js`, import.meta.url),
);

/** What rebuilds the views. */
export const rebuildEntry = fileURLToPath(new URL(rebuildEntries[engine], import.meta.url));

/** The memory settings with which `npm start` starts the embedded product; the distributed one sets its own. */
export const startSettings = engine === 'embedded' ? settingsOfStart() : { flags: [], env: {} };

function settingsOfStart(): { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const file = new URL(`${fromSource ? '../..' : '../../..'}/package.json`, import.meta.url);
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } };
  const [, env = '', flags = ''] = /exec env (.+) node (.+) \S+$/.exec(scripts.start) ?? [];
  if (flags === '') throw new Error('`npm start` does not say what the product is started with');
  return { flags: flags.split(' '), env: Object.fromEntries(env.split(' ').map((setting) => setting.split('='))) };
}

/** What the product is told of its servers: a log and views of its own, named like its data directory. */
export function serversFor(dataDir: string): Readonly<Record<string, string>> {
  return engine === 'embedded' ? {} : namedServers(basename(dataDir));
}

function namedServers(name: string): Readonly<Record<string, string>> {
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
