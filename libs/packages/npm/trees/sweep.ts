// Keeps what installs leave on disk within bounds: the least recently used goes first.
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord } from './tree.ts';

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

export interface SweepLimits {
  /** Of all trees. */
  readonly treeBytes: number;
  /** Of what npm keeps of registries: tarballs and metadata. */
  readonly npmBytes: number;
}

const MiB = 1024 * 1024;

/** Some hundred trees, and the packages of some thousand: both are fetched again when they are missing. */
export const sweepLimits: SweepLimits = { treeBytes: 2_048 * MiB, npmBytes: 1_024 * MiB };

/** An install takes two minutes at most: older drafts were left by a process that died. */
const draftMaxMs = 600_000;
/** What was used this recently may be in use by another process. */
const inUseMs = 300_000;

const isDraft = (name: string): boolean => name.startsWith('draft-');

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function treesIn(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) continue;
    const isOld = Date.now() - stats.mtimeMs > draftMaxMs;
    if (isDraft(name) && isOld) await rm(path, { recursive: true, force: true });
    if (isDraft(name)) continue;
    entries.push({ path, bytes: (await readRecord(path))?.bytes ?? 0, usedAt: stats.mtimeMs });
  }
  return entries;
}

/** Files of npm's own cache: it takes a missing one for one that it never had. */
async function cachedIn(folder: string): Promise<Entry[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const entries = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        const stats = await stat(path).catch(() => undefined);
        return stats === undefined ? [] : [{ path, bytes: stats.size, usedAt: Math.max(stats.atimeMs, stats.mtimeMs) }];
      }),
  );
  return entries.flat();
}

/** Calls `remove` until what is left is within seven eighths of the bound, so that it need not do so each time. */
async function shrink(
  entries: readonly Entry[],
  bytesMax: number,
  remove: (path: string) => Promise<void>,
): Promise<void> {
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes <= bytesMax) return;
  for (const entry of entries.toSorted((one, other) => one.usedAt - other.usedAt)) {
    if (bytes <= (bytesMax * 7) / 8 || Date.now() - entry.usedAt < inUseMs) return;
    await remove(entry.path);
    bytes -= entry.bytes;
  }
}

/** Several processes may sweep at once. Never rejects: what cannot be removed now can be later. */
export async function sweep(directory: string, limits: SweepLimits = sweepLimits): Promise<void> {
  const trees = join(directory, 'trees');
  try {
    await shrink(await treesIn(trees), limits.treeBytes, async (path) => {
      // Under another name first: nobody finds half a tree.
      const gone = join(trees, `draft-gone-${randomBytes(6).toString('hex')}`);
      await rename(path, gone);
      await rm(gone, { recursive: true, force: true });
    });
    await shrink(await cachedIn(join(directory, 'npm', '_cacache', 'content-v2')), limits.npmBytes, (path) =>
      rm(path, { force: true }),
    );
  } catch {
    // Another process sweeps the same files.
  }
}
