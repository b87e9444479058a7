// Keeps installed trees of packages on disk, keyed by the hash of their lock, and checks them when they are read.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addFolders } from './folders.ts';

/** The contents of a tree, for checking its files and its size. */
export interface TreeRecord {
  readonly bytes: number;
  /** Hashes of files by path in the tree, such as `node_modules/a/index.js`. */
  readonly hashes: Readonly<Record<string, string>>;
}

const recordName = 'tree.json';
const hashUnits = 64;
/** The least room of a file on disk. */
export const blockBytes = 4_096;

export const hashOfFile = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64').slice(0, 24);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The folder for the tree of a lock with this hash. */
export const treeFolder = (directory: string, hash: string): string => join(directory, 'trees', hash);

/** Creates a folder for a tree or npm's files while they are made; those of dead processes are swept. */
export async function newDraft(directory: string): Promise<string> {
  const draft = join(directory, 'trees', `draft-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  return draft;
}

/** Undefined if there is no tree, or a damaged one. */
export async function readRecord(folder: string): Promise<TreeRecord | undefined> {
  const text = await readFile(join(folder, recordName), 'utf8').catch(() => '');
  const body = text.slice(hashUnits);
  if (body === '' || sha256(body) !== text.slice(0, hashUnits)) return undefined;
  return JSON.parse(body) as TreeRecord;
}

const headBytes = 128;

/**
 * The bytes of a tree. Reads only the beginning of its record, which can have megabytes. Undefined if there is no
 * record; rejects if it cannot be read.
 */
export async function bytesOf(folder: string): Promise<number | undefined> {
  const file = await open(join(folder, recordName)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  try {
    const head = await file?.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const byteCount = /^\{"bytes":(\d+),/.exec(head?.buffer.toString('utf8', hashUnits) ?? '')?.[1];
    return byteCount === undefined ? undefined : Number(byteCount);
  } finally {
    await file?.close();
  }
}

/** Moves a complete tree to its folder, atomically; several processes can place the same one at once. */
export async function placeTree(draft: string, folder: string, record: TreeRecord): Promise<void> {
  const { bytes, hashes } = record;
  // `bytes` is first, because `bytesOf` reads only the beginning.
  const body = JSON.stringify({ bytes, hashes });
  await writeFile(join(draft, recordName), sha256(body) + body, { mode: 0o600 });
  for (let attempts = 2; attempts > 0; attempts -= 1) {
    try {
      await rename(draft, folder);
      return;
    } catch {
      // Another process was faster, or there is a damaged tree.
      if ((await readRecord(folder)) !== undefined) break;
      await rm(folder, { recursive: true, force: true });
    }
  }
  await rm(draft, { recursive: true, force: true });
}

/** Writes files of a package to `draft`, and adds their hashes. Returns the bytes that they take on disk. */
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
    const filePath = `${location}/${path}`;
    await writeFile(join(draft, filePath), content, { mode: 0o600 });
    hashes.set(filePath, hashOfFile(content));
    // Includes the file's line in the record.
    bytes += Math.max(Math.ceil(content.length / blockBytes), 1) * blockBytes + filePath.length;
  }
  return bytes;
}
