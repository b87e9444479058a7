// Makes, lists, copies and removes folders.
import { Buffer } from '../../encoding/buffer.ts';
import { randomBytes } from '../../crypto/random.ts';
import { copyFileSync, optionsOf } from './files.ts';
import type { FileOptions } from './files.ts';
import { systemError } from './fs-errors.ts';
import type { Place } from './fs-errors.ts';
import { Dirent, newFolder } from './nodes.ts';
import type { FolderNode } from './nodes.ts';
import { namesOf, pathText } from './paths.ts';
import type { PathLike } from './paths.ts';
import { tree } from './tree.ts';

const usualMode = 0o777;

interface MakeOptions {
  readonly recursive?: boolean;
  readonly mode?: number | string;
}

const numberOf = (mode: unknown): number => (typeof mode === 'string' ? Number.parseInt(mode, 8) : Number(mode));

/** With `recursive`, returns the path of the first folder that was made, if any. */
export function mkdirSync(where: PathLike, options?: MakeOptions | number | string | null): string | undefined {
  const path = pathText(where);
  const place = { syscall: 'mkdir', path };
  const { recursive, mode = usualMode }: MakeOptions =
    typeof options === 'object' && options !== null ? options : { mode: options ?? usualMode };
  const made = numberOf(mode) & ~0o022;
  if (recursive === true) return makeAll(path, made, place);
  if (tree().find(path, place) !== undefined) throw systemError('EEXIST', place);
  tree().add(path, newFolder(made), place);
  return undefined;
}

function makeAll(path: string, mode: number, place: Place): string | undefined {
  let at = '';
  let first: string | undefined;
  for (const name of namesOf(path, place)) {
    at += `/${name}`;
    const found = tree().find(at, place);
    if (found?.kind === 'file') throw systemError(at === tree().fullPath(path, place) ? 'EEXIST' : 'ENOTDIR', place);
    if (found !== undefined) continue;
    tree().add(at, newFolder(mode), place);
    first ??= at;
  }
  return first;
}

/** Adds six characters to the prefix, as in Node. */
export function mkdtempSync(prefix: PathLike): string {
  const text = pathText(prefix, 'prefix');
  const suffix = (randomBytes(6) as Buffer)
    .toString('base64url')
    .replace(/[^A-Za-z0-9]/g, 'x')
    .slice(0, 6);
  const place = { syscall: 'mkdtemp', path: `${text}XXXXXX` };
  tree().add(text + suffix, newFolder(0o700), place);
  return text + suffix;
}

interface ListOptions extends FileOptions {
  readonly withFileTypes?: boolean;
  readonly recursive?: boolean;
}

function folderAt(path: string, place: Place): FolderNode {
  const found = tree().get(path, place);
  if (found.kind === 'file') throw systemError('ENOTDIR', place);
  return found;
}

/** Sorted names, which Linux does not guarantee; with `recursive`, contents of folders follow as paths. */
function entriesOf(path: string, folder: FolderNode, recursive: boolean): readonly (readonly [string, Dirent])[] {
  const names = [...folder.children.keys()].sort();
  return names.flatMap((name) => {
    const node = folder.children.get(name);
    if (node === undefined) return [];
    const own = [name, new Dirent(name, path, node)] as const;
    if (!recursive || node.kind === 'file') return [own];
    const within = entriesOf(`${path.replace(/\/$/, '')}/${name}`, node, true);
    return [own, ...within.map(([inner, entry]) => [`${name}/${inner}`, entry] as const)];
  });
}

export function readdirSync(where: PathLike, options?: unknown): readonly (string | Buffer | Dirent)[] {
  const path = pathText(where);
  const how = optionsOf(options) as ListOptions;
  const entries = entriesOf(path, folderAt(path, { syscall: 'scandir', path }), how.recursive === true);
  if (how.withFileTypes === true) return entries.map(([, entry]) => entry);
  return entries.map(([name]) => (how.encoding === 'buffer' ? Buffer.from(name) : name));
}

export function rmdirSync(where: PathLike): void {
  const path = pathText(where);
  const place = { syscall: 'rmdir', path };
  if (folderAt(path, place).children.size > 0) throw systemError('ENOTEMPTY', place);
  tree().remove(path, place);
}

interface RemoveOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

function removeAll(path: string, place: Place): void {
  const node = tree().get(path, place);
  if (node.kind === 'folder') {
    for (const name of [...node.children.keys()]) removeAll(`${path}/${name}`, place);
  }
  tree().remove(path, place);
}

export function rmSync(where: PathLike, { recursive, force }: RemoveOptions = {}): void {
  const path = pathText(where);
  const place = { syscall: 'rm', path };
  const found = tree().find(path, place);
  if (found === undefined && force === true) return;
  // Node calls lstat before it removes, so the error names lstat.
  if (found === undefined) throw systemError('ENOENT', { syscall: 'lstat', path });
  if (found.kind === 'folder' && found.isFixed) throw systemError('EACCES', place);
  if (found.kind === 'folder' && recursive !== true) {
    const message = `Path is a directory: rm returned EISDIR (is a directory) ${path}`;
    throw Object.assign(new Error(message), {
      name: 'SystemError',
      code: 'ERR_FS_EISDIR',
      errno: 21,
      syscall: 'rm',
      path,
    });
  }
  removeAll(path, place);
}

interface CopyOptions extends RemoveOptions {
  readonly errorOnExist?: boolean;
  readonly filter?: (from: string, to: string) => unknown;
}

export function cpSync(from: PathLike, to: PathLike, options: CopyOptions = {}): void {
  const [path, dest] = [pathText(from, 'src'), pathText(to, 'dest')];
  const place = { syscall: 'cp', path, dest };
  if (options.filter !== undefined && !options.filter(path, dest)) return;
  const source = tree().get(path, place);
  if (source.kind === 'file') {
    copyOver(path, dest, options);
    return;
  }
  if (options.recursive !== true) {
    const message = `Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${path} is a directory (not copied)) ${path}`;
    throw Object.assign(new Error(message), {
      code: 'ERR_FS_EISDIR',
      errno: 21,
      syscall: 'cp',
      path,
    });
  }
  if (`${tree().fullPath(dest, place)}/`.startsWith(`${tree().fullPath(path, place)}/`))
    throw systemError('EINVAL', place);
  mkdirSync(dest, { recursive: true });
  for (const name of source.children.keys()) cpSync(`${path}/${name}`, `${dest}/${name}`, options);
}

function copyOver(path: string, dest: string, { force = true, errorOnExist }: CopyOptions): void {
  const isThere = tree().find(dest, { syscall: 'cp', path, dest }) !== undefined;
  if (isThere && !force && errorOnExist === true) {
    const message = `Target already exists: cp returned EEXIST (${dest} already exists) ${dest}`;
    throw Object.assign(new Error(message), {
      name: 'SystemError',
      code: 'ERR_FS_CP_EEXIST',
      errno: 17,
      syscall: 'cp',
      path: dest,
    });
  }
  if (!isThere || force) copyFileSync(path, dest);
}

/** An open folder that is read entry by entry. */
class Dir {
  readonly path: string;
  readonly #entries: Dirent[];

  constructor(path: string) {
    this.path = path;
    this.#entries = [...readdirSync(path, { withFileTypes: true })] as Dirent[];
  }
  readSync(): Dirent | null {
    return this.#entries.shift() ?? null;
  }
  async read(): Promise<Dirent | null> {
    return this.readSync();
  }
  closeSync(): void {}
  async close(): Promise<void> {}
  async *[Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    for (let entry = this.readSync(); entry !== null; entry = this.readSync()) yield entry;
  }
}
export function opendirSync(where: PathLike): Dir {
  const path = pathText(where);
  folderAt(path, { syscall: 'opendir', path });
  return new Dir(path);
}
