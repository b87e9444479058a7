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
async function writeAtomically(path: string, text: string): Promise<void> {
  const temporaryPath = `${path}.${process.pid}`;
  await writeFile(temporaryPath, text, { mode: 0o600 });
  await rename(temporaryPath, path);
}

async function prepareBundle(cacheDir: string): Promise<{ path: string; hash: string }> {
  if (!runsFromSource) return { path: builtBundlePath, hash: shortHash(await readFile(builtBundlePath, 'utf8')) };
  const text = await bundleGuest();
  const hash = shortHash(text);
  const path = join(cacheDir, `guest-${hash}.js`);
  if (!(await exists(path))) await writeAtomically(path, text);
  return { path, hash };
}

/** Makes the same check as the runner; a damaged file is made again. */
async function hasValidChecksum(path: string): Promise<boolean> {
  const file = await readFile(path).catch(() => Buffer.alloc(0));
  return file.length > 32 && createHash('sha256').update(file.subarray(32)).digest().equals(file.subarray(0, 32));
}

/** Removes files of other versions and unfinished files. */
async function removeStaleFiles(cacheDir: string, hash: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const isCurrent = name.startsWith(`guest-${hash}`) && /\.(js|snapshot)$/.test(name);
    if (name.startsWith('guest-') && !isCurrent) await rm(join(cacheDir, name), { force: true });
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
  return hasValidChecksum(snapshotPath);
}

/** If no snapshot can be made, components run without one; only their first start takes longer. */
export async function prepareGuest(cacheDir: string): Promise<GuestFiles> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const { path: bundlePath, hash } = await prepareBundle(cacheDir);
  const snapshotPath = join(cacheDir, `guest-${hash}-v8-${process.versions.v8}-${process.arch}.snapshot`);
  if (await hasValidChecksum(snapshotPath)) return { bundlePath, snapshotPath };
  await rm(snapshotPath, { force: true });
  await removeStaleFiles(cacheDir, hash);
  return (await makeSnapshot(bundlePath, snapshotPath, cacheDir)) ? { bundlePath, snapshotPath } : { bundlePath };
}
