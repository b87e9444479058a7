// Makes, lists, copies and removes folders.
import { Buffer } from '../../encoding/buffer.ts';
import { randomBytes } from '../../crypto/random.ts';
import { copyFileSync, optionsOf } from './files.ts';
import type { FileOptions } from './files.ts';
import { systemError } from './fs-errors.ts';
import type { SyscallContext } from './fs-errors.ts';
import { Dirent, newFolder } from './nodes.ts';
import type { FolderNode } from './nodes.ts';
import { namesOf, pathText } from './paths.ts';
import type { PathLike } from './paths.ts';
import { tree } from './tree.ts';

const defaultMode = 0o777;

interface MakeOptions {
  readonly recursive?: boolean;
  readonly mode?: number | string;
}

const numberOf = (mode: unknown): number => (typeof mode === 'string' ? Number.parseInt(mode, 8) : Number(mode));

/** With `recursive`, returns the path of the first folder that was made, if any. */
export function mkdirSync(where: PathLike, options?: MakeOptions | number | string | null): string | undefined {
  const path = pathText(where);
  const context = { syscall: 'mkdir', path };
  const { recursive, mode = defaultMode }: MakeOptions =
    typeof options === 'object' && options !== null ? options : { mode: options ?? defaultMode };
  const maskedMode = numberOf(mode) & ~0o022;
  if (recursive === true) return makeFolders(path, maskedMode, context);
  if (tree().find(path, context) !== undefined) throw systemError('EEXIST', context);
  tree().add(path, newFolder(maskedMode), context);
  return undefined;
}

function makeFolders(path: string, mode: number, context: SyscallContext): string | undefined {
  let currentPath = '';
  let first: string | undefined;
  for (const name of namesOf(path, context)) {
    currentPath += `/${name}`;
    const found = tree().find(currentPath, context);
    if (found?.kind === 'file')
      throw systemError(currentPath === tree().fullPath(path, context) ? 'EEXIST' : 'ENOTDIR', context);
    if (found !== undefined) continue;
    tree().add(currentPath, newFolder(mode), context);
    first ??= currentPath;
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
  const context = { syscall: 'mkdtemp', path: `${text}XXXXXX` };
  tree().add(text + suffix, newFolder(0o700), context);
  return text + suffix;
}

interface ListOptions extends FileOptions {
  readonly withFileTypes?: boolean;
  readonly recursive?: boolean;
}

function folderAt(path: string, context: SyscallContext): FolderNode {
  const found = tree().get(path, context);
  if (found.kind === 'file') throw systemError('ENOTDIR', context);
  return found;
}

/** Sorted names, which Linux does not guarantee; with `recursive`, contents of folders follow as paths. */
function entriesOf(path: string, folder: FolderNode, recursive: boolean): readonly (readonly [string, Dirent])[] {
  const names = [...folder.children.keys()].sort();
  return names.flatMap((name) => {
    const node = folder.children.get(name);
    if (node === undefined) return [];
    const ownEntry = [name, new Dirent(name, path, node)] as const;
    if (!recursive || node.kind === 'file') return [ownEntry];
    const descendants = entriesOf(`${path.replace(/\/$/, '')}/${name}`, node, true);
    return [ownEntry, ...descendants.map(([inner, entry]) => [`${name}/${inner}`, entry] as const)];
  });
}

export function readdirSync(where: PathLike, options?: unknown): readonly (string | Buffer | Dirent)[] {
  const path = pathText(where);
  const listOptions = optionsOf(options) as ListOptions;
  const entries = entriesOf(path, folderAt(path, { syscall: 'scandir', path }), listOptions.recursive === true);
  if (listOptions.withFileTypes === true) return entries.map(([, entry]) => entry);
  return entries.map(([name]) => (listOptions.encoding === 'buffer' ? Buffer.from(name) : name));
}

export function rmdirSync(where: PathLike): void {
  const path = pathText(where);
  const context = { syscall: 'rmdir', path };
  if (folderAt(path, context).children.size > 0) throw systemError('ENOTEMPTY', context);
  tree().remove(path, context);
}

interface RemoveOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

function removeAll(path: string, context: SyscallContext): void {
  const node = tree().get(path, context);
  if (node.kind === 'folder') {
    for (const name of [...node.children.keys()]) removeAll(`${path}/${name}`, context);
  }
  tree().remove(path, context);
}

export function rmSync(where: PathLike, { recursive, force }: RemoveOptions = {}): void {
  const path = pathText(where);
  const context = { syscall: 'rm', path };
  const found = tree().find(path, context);
  if (found === undefined && force === true) return;
  // Node calls lstat before it removes, so the error names lstat.
  if (found === undefined) throw systemError('ENOENT', { syscall: 'lstat', path });
  if (found.kind === 'folder' && found.isFixed) throw systemError('EACCES', context);
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
  removeAll(path, context);
}

interface CopyOptions extends RemoveOptions {
  readonly errorOnExist?: boolean;
  readonly filter?: (from: string, to: string) => unknown;
}

export function cpSync(from: PathLike, to: PathLike, options: CopyOptions = {}): void {
  const [path, dest] = [pathText(from, 'src'), pathText(to, 'dest')];
  const context = { syscall: 'cp', path, dest };
  if (options.filter !== undefined && !options.filter(path, dest)) return;
  const source = tree().get(path, context);
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
  if (`${tree().fullPath(dest, context)}/`.startsWith(`${tree().fullPath(path, context)}/`))
    throw systemError('EINVAL', context);
  mkdirSync(dest, { recursive: true });
  for (const name of source.children.keys()) cpSync(`${path}/${name}`, `${dest}/${name}`, options);
}

function copyOver(path: string, dest: string, { force = true, errorOnExist }: CopyOptions): void {
  const destExists = tree().find(dest, { syscall: 'cp', path, dest }) !== undefined;
  if (destExists && !force && errorOnExist === true) {
    const message = `Target already exists: cp returned EEXIST (${dest} already exists) ${dest}`;
    throw Object.assign(new Error(message), {
      name: 'SystemError',
      code: 'ERR_FS_CP_EEXIST',
      errno: 17,
      syscall: 'cp',
      path: dest,
    });
  }
  if (!destExists || force) copyFileSync(path, dest);
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
