// Limits the disk space of installs: deletes the least recently used trees and cached files first.
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { blockBytes, bytesOf } from './tree.ts';

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

export interface SweepLimits {
  /** Of all trees. */
  readonly treeBytes: number;
  /** Of npm's cache: tarballs, metadata, and the index entries by which it finds them. */
  readonly npmBytes: number;
}

const MiB = 1024 * 1024;

/** Some hundred trees, and the packages of some thousand; both are fetched again if they are missing. */
export const sweepLimits: SweepLimits = { treeBytes: 2_048 * MiB, npmBytes: 1_024 * MiB };

/** An install takes two minutes at most, so older drafts were left by a process that died. */
const draftMaxMs = 600_000;
/** Files used this recently might be in use by another process. */
const inUseMs = 300_000;
/** Files in use are kept up to this many times the limit; beyond it a full disk is worse than a repeated build. */
const inUseTimes = 2;

const isDraft = (name: string): boolean => name.startsWith('draft-');

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function treesIn(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) continue;
    const bytes = isDraft(name) ? undefined : await bytesOf(path).catch(() => 'unknown' as const);
    if (bytes === 'unknown') continue;
    if (bytes !== undefined) entries.push({ path, bytes, usedAt: stats.mtimeMs });
    // A tree without a record is useless.
    else if (Date.now() - stats.mtimeMs > draftMaxMs) await rm(path, { recursive: true, force: true });
  }
  return entries;
}

/** One after another: there can be tens of thousands, and the threads that read files are shared. */
async function cachedIn(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    const stats = file.isFile() ? await stat(path).catch(() => undefined) : undefined;
    if (stats === undefined) continue;
    const usedAt = Math.max(stats.atimeMs, stats.mtimeMs);
    entries.push({ path, bytes: Math.max(stats.size, blockBytes), usedAt });
  }
  return entries;
}

/** Removes incomplete files of npm, from versions of the service in which installs shared this folder. */
async function dropUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > draftMaxMs)
      await rm(path, { recursive: true, force: true });
  }
}

const sum = (entries: readonly Entry[]): number => entries.reduce((bytes, entry) => bytes + entry.bytes, 0);

type Remove = (path: string) => Promise<void>;

/** Calls `remove` until the rest is within seven eighths of the limit, so that not every sweep has to remove files. */
async function shrink(entries: readonly Entry[], bytesMax: number, remove: Remove): Promise<void> {
  let bytes = sum(entries);
  for (const entry of entries.toSorted((one, other) => one.usedAt - other.usedAt)) {
    const isInUse = Date.now() - entry.usedAt < inUseMs && bytes <= bytesMax * inUseTimes;
    if (bytes <= (bytesMax * 7) / 8 || isInUse) return;
    await remove(entry.path);
    bytes -= entry.bytes;
  }
}

async function shrinkTrees(folder: string, bytesMax: number): Promise<void> {
  const trees = await treesIn(folder);
  if (sum(trees) <= bytesMax) return;
  await shrink(trees, bytesMax, async (path) => {
    // Renamed first, so that a partly removed tree is never found.
    const trash = join(folder, `draft-gone-${randomBytes(6).toString('hex')}`);
    await rename(path, trash);
    await rm(trash, { recursive: true, force: true });
  });
}

const isIndexName = (name: string): boolean => name.startsWith('index-v');

async function removeEntries(cache: string): Promise<void> {
  for (const name of (await namesIn(cache)).filter(isIndexName))
    for (const { path } of await cachedIn(join(cache, name))) await rm(path, { force: true });
}

/**
 * npm fails at an index entry without its file, and fetches files without an entry. So all entries are removed before
 * any file, and then again those that an install has made meanwhile.
 */
async function shrinkCache(folder: string, bytesMax: number): Promise<void> {
  const files = await cachedIn(folder);
  if (sum(files) <= bytesMax) return;
  const cache = join(folder, '_cacache');
  await removeEntries(cache);
  const contents = files.filter(({ path }) => !isIndexName(relative(cache, path)));
  await shrink(contents, bytesMax, (path) => rm(path, { force: true }));
  await removeEntries(cache);
}

/** Several processes can sweep at once. Never rejects; files that cannot be removed now are removed later. */
export async function sweep(directory: string, limits: SweepLimits = sweepLimits): Promise<void> {
  const npm = join(directory, 'npm');
  try {
    await shrinkTrees(join(directory, 'trees'), limits.treeBytes);
    await dropUnfinished(join(npm, '_cacache', 'tmp'));
    await shrinkCache(npm, limits.npmBytes);
  } catch {
    // Another process is sweeping the same files.
  }
}
