// Installed trees of packages on disk: found by the hash of their lock, checked when they are read.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addFolders } from './folders.ts';

/** What a tree holds, to tell damage and size. */
export interface TreeRecord {
  readonly bytes: number;
  /** Hashes of files by path in the tree, such as `node_modules/a/index.js`. */
  readonly hashes: Readonly<Record<string, string>>;
}

const recordName = 'tree.json';
const hashUnits = 64;
/** The least that a file takes. */
export const blockBytes = 4_096;

export const hashOfFile = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64').slice(0, 24);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Where the tree of a lock with this hash stands. */
export const treeFolder = (directory: string, hash: string): string => join(directory, 'trees', hash);

/** For a tree, or for what npm reads, while it is made; what a dead process leaves is swept. */
export async function newDraft(directory: string): Promise<string> {
  const draft = join(directory, 'trees', `draft-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  return draft;
}

/** Undefined when there is no tree, or a damaged one. */
export async function readRecord(folder: string): Promise<TreeRecord | undefined> {
  const text = await readFile(join(folder, recordName), 'utf8').catch(() => '');
  const body = text.slice(hashUnits);
  if (body === '' || sha256(body) !== text.slice(0, hashUnits)) return undefined;
  return JSON.parse(body) as TreeRecord;
}

const headBytes = 128;

/**
 * As its record says, of which the head alone is read: it may be megabytes. Undefined when there is no record; rejects
 * when that cannot be told.
 */
export async function bytesOf(folder: string): Promise<number | undefined> {
  const file = await open(join(folder, recordName)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  try {
    const head = await file?.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const told = /^\{"bytes":(\d+),/.exec(head?.buffer.toString('utf8', hashUnits) ?? '')?.[1];
    return told === undefined ? undefined : Number(told);
  } finally {
    await file?.close();
  }
}

/** The tree is there whole or not at all; several processes may place the same one at once. */
export async function placeTree(draft: string, folder: string, record: TreeRecord): Promise<void> {
  const { bytes, hashes } = record;
  // `bytesOf` reads the beginning.
  const body = JSON.stringify({ bytes, hashes });
  await writeFile(join(draft, recordName), sha256(body) + body, { mode: 0o600 });
  for (let tries = 2; tries > 0; tries -= 1) {
    try {
      await rename(draft, folder);
      return;
    } catch {
      // Another process was quicker, or a damaged tree is there.
      if ((await readRecord(folder)) !== undefined) break;
      await rm(folder, { recursive: true, force: true });
    }
  }
  await rm(draft, { recursive: true, force: true });
}

/** Writes files of a package below `draft`, and adds their hashes. Gives what they take on disk, in bytes. */
export async function writePackage(
  draft: string,
  location: string,
  files: ReadonlyMap<string, Buffer>,
  hashes: Map<string, string>,
): Promise<number> {
  const folders = new Set<string>();
  for (const path of files.keys()) addFolders(join(location, path), folders);
  for (const folder of folders) await mkdir(join(draft, folder), { recursive: true, mode: 0o700 });
  let bytes = folders.size * blockBytes;
  for (const [path, content] of files) {
    const place = `${location}/${path}`;
    await writeFile(join(draft, place), content, { mode: 0o600 });
    hashes.set(place, hashOfFile(content));
    // Its line in the record, too.
    bytes += Math.max(Math.ceil(content.length / blockBytes), 1) * blockBytes + place.length;
  }
  return bytes;
}
