// Installs the locked packages of the tried components into the user's cache, without scripts, once for all clones.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const hereDir = fileURLToPath(new URL('.', import.meta.url));
const places = new URL('../../../deploy/local/engines/places.mjs', import.meta.url).href;
const names = ['package.json', 'package-lock.json'];
/** For a busy machine with an empty npm cache; an idle one needs ten seconds. */
const limitMs = 180_000;

/** Returns the path of `node_modules`; throws an error with npm's message. */
export async function bringPackages(): Promise<string> {
  const { cacheDir } = (await import(places)) as { readonly cacheDir: string };
  const dir = join(cacheDir, `conformance-${fingerprint()}`);
  // Renamed to this once it is complete.
  if (!existsSync(dir)) installAs(dir);
  return join(dir, 'node_modules');
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(join(hereDir, name)));
  return hash.digest('hex').slice(0, 16);
}

function installAs(dir: string): void {
  const ownDir = `${dir}.${randomUUID()}`;
  try {
    mkdirSync(ownDir, { recursive: true });
    for (const name of names) copyFileSync(join(hereDir, name), join(ownDir, name));
    npmCi(ownDir);
    renameSync(ownDir, dir);
  } catch (error) {
    // If another run has installed them meanwhile, its result is used.
    if (!existsSync(dir)) throw error;
  } finally {
    rmSync(ownDir, { recursive: true, force: true });
  }
}

function npmCi(dir: string): void {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { status, signal, error, stderr } = spawnSync('npm', args, { cwd: dir, encoding: 'utf8', timeout: limitMs });
  if (status === 0) return;
  throw new Error(`npm ci of the components to try ended with ${error?.message ?? signal ?? status}: ${stderr}`);
}
