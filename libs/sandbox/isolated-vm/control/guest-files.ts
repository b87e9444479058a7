// Finds the guest's bundle and snapshot on disk where the build put them, or makes them once, named by their content.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtBundlePath, bundleGuest, runsFromSource } from '../guest-bundle.ts';
import { permissionFlags, runnerEnv } from './runner-process.ts';

export interface GuestFiles {
  readonly bundlePath: string;
  readonly snapshotPath?: string;
}

/** A hundred times as long as making a snapshot takes. */
const snapshotTimeoutMs = 30_000;

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Several processes can do this at once: each replaces the file with the same content. */
async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
}

async function bundle(cacheDir: string): Promise<{ path: string; hash: string }> {
  if (!runsFromSource) return { path: builtBundlePath, hash: shortHash(await readFile(builtBundlePath, 'utf8')) };
  const text = await bundleGuest();
  const hash = shortHash(text);
  const path = join(cacheDir, `guest-${hash}.js`);
  if (!(await exists(path))) await writeWhole(path, text);
  return { path, hash };
}

/** Makes the same check as the runner; a damaged file is made again. */
async function isSound(path: string): Promise<boolean> {
  const file = await readFile(path).catch(() => Buffer.alloc(0));
  return file.length > 32 && createHash('sha256').update(file.subarray(32)).digest().equals(file.subarray(0, 32));
}

/** Removes files of other versions and unfinished files. */
async function removeOthers(cacheDir: string, hash: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const isKept = name.startsWith(`guest-${hash}`) && /\.(js|snapshot)$/.test(name);
    if (name.startsWith('guest-') && !isKept) await rm(join(cacheDir, name), { force: true });
  }
}

async function makeSnapshot(bundlePath: string, snapshotPath: string, cacheDir: string): Promise<boolean> {
  const extension = runsFromSource ? 'ts' : 'js';
  const script = fileURLToPath(new URL(`../runner/make-snapshot.${extension}`, import.meta.url));
  const flags = [...permissionFlags([bundlePath, cacheDir]), `--allow-fs-write=${cacheDir}`];
  try {
    await promisify(execFile)(process.execPath, [...flags, script, bundlePath, snapshotPath], {
      env: runnerEnv(),
      timeout: snapshotTimeoutMs,
      killSignal: 'SIGKILL',
    });
  } catch {
    // The process might fail at its exit, after it has written the file.
  }
  return isSound(snapshotPath);
}

/** If no snapshot can be made, components run without one; only their first start takes longer. */
export async function prepareGuest(cacheDir: string): Promise<GuestFiles> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const { path: bundlePath, hash } = await bundle(cacheDir);
  const snapshotPath = join(cacheDir, `guest-${hash}-v8-${process.versions.v8}-${process.arch}.snapshot`);
  if (await isSound(snapshotPath)) return { bundlePath, snapshotPath };
  await rm(snapshotPath, { force: true });
  await removeOthers(cacheDir, hash);
  return (await makeSnapshot(bundlePath, snapshotPath, cacheDir)) ? { bundlePath, snapshotPath } : { bundlePath };
}
