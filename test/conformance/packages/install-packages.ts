// Installs the locked packages of the tried components into the user's cache, without scripts, once for all clones.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packagesDir = fileURLToPath(new URL('.', import.meta.url));
const placesModule = new URL('../../../deploy/local/engines/places.mjs', import.meta.url).href;
const names = ['package.json', 'package-lock.json'];
/** For a busy machine with an empty npm cache; an idle one needs ten seconds. */
const npmTimeoutMs = 180_000;

/** Returns the path of `node_modules`; throws an error with npm's message. */
export async function installPackages(): Promise<string> {
  const { cacheDir } = (await import(placesModule)) as { readonly cacheDir: string };
  const dir = join(cacheDir, `conformance-${fingerprint()}`);
  // Renamed to this once it is complete.
  if (!existsSync(dir)) installAs(dir);
  return join(dir, 'node_modules');
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(join(packagesDir, name)));
  return hash.digest('hex').slice(0, 16);
}

function installAs(dir: string): void {
  const temporaryDir = `${dir}.${randomUUID()}`;
  try {
    mkdirSync(temporaryDir, { recursive: true });
    for (const name of names) copyFileSync(join(packagesDir, name), join(temporaryDir, name));
    npmCi(temporaryDir);
    renameSync(temporaryDir, dir);
  } catch (error) {
    // If another run has installed them meanwhile, its result is used.
    if (!existsSync(dir)) throw error;
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true });
  }
}

function npmCi(dir: string): void {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { status, signal, error, stderr } = spawnSync('npm', args, {
    cwd: dir,
    encoding: 'utf8',
    timeout: npmTimeoutMs,
  });
  if (status === 0) return;
  throw new Error(`npm ci of the components to try ended with ${error?.message ?? signal ?? status}: ${stderr}`);
}
