// Builds the environment of every app on this machine, and creates what they need in the data directory.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const distDir = fileURLToPath(new URL('../../../dist', import.meta.url));

export const dataDirOf = (env) => resolve(env.DATA_DIR || 'data');

/**
 * As in the image: glibc returns the memory of large buffers, instead of keeping it for the next of their size, and
 * V8's space for young objects is limited to 48 MiB: Node 24 lets it grow beyond 100 MiB, and an idle process keeps it.
 * Names are looked up on half of libuv's threads, and a look-up without an answer blocks its thread for seconds: 4 are
 * soon all taken.
 */
const ofProcess = (env) => ({
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '16',
  ...env,
  NODE_OPTIONS: ['--max-semi-space-size=16', env.NODE_OPTIONS].filter(Boolean).join(' '),
});

/**
 * A developer's master key is stored where the embedded engine stores its own. Throws an Error that says what to set.
 */
export async function environmentOf(env) {
  const missing = ['KAFKA_BROKERS', 'MONGODB_URL'].filter((name) => !env[name]);
  if (missing.length > 0)
    throw new Error(`Set ${missing.join(' and ')}: \`npm run engines\` starts such servers here and prints both.`);
  const { makeDataDir } = await import(join(distDir, 'libs', 'engines', 'config', 'data-dir.js'));
  await makeDataDir(dataDirOf(env));
  if (env.MASTER_KEY) return ofProcess(env);
  const { loadMasterKey } = await import(join(distDir, 'libs', 'engines', 'embedded', 'master-key.js'));
  return { ...ofProcess(env), MASTER_KEY: (await loadMasterKey(dataDirOf(env), false)).toString('base64') };
}
