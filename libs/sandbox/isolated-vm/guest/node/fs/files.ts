// Reads, writes and copies whole files, and returns their stats.
import { Buffer } from '../../encoding/buffer.ts';
import type { Encoding } from '../../encoding/buffer.ts';
import { bytesOf, closeSync, constants, epochMs, ftruncateSync, openSync, statsOf, writeSync } from './descriptors.ts';
import { systemError } from './fs-errors.ts';
import type { SyscallContext } from './fs-errors.ts';
import { Stats, touch } from './nodes.ts';
import type { FileNode, TreeNode } from './nodes.ts';
import { pathText } from './paths.ts';
import type { PathLike } from './paths.ts';
import { tree } from './tree.ts';

export interface FileOptions {
  readonly encoding?: Encoding | 'buffer' | null;
  readonly flag?: string;
  readonly mode?: number;
}

/** Options can be the encoding alone. */
export const optionsOf = (options: unknown): FileOptions =>
  typeof options === 'string' ? { encoding: options as Encoding } : ((options ?? {}) as FileOptions);

export const encodeContent = (bytes: Buffer, { encoding }: FileOptions): Buffer | string =>
  encoding === undefined || encoding === null || encoding === 'buffer' ? bytes : bytes.toString(encoding);

/** Opens a path for `action` and closes it again; a descriptor stays open. */
function withFile<T>(where: PathLike | number, fileOptions: FileOptions, action: (fd: number) => T): T {
  if (typeof where === 'number') return action(where);
  const fd = openSync(where, fileOptions.flag, fileOptions.mode);
  try {
    return action(fd);
  } finally {
    closeSync(fd);
  }
}

export function readFileSync(where: PathLike | number, options?: unknown): Buffer | string {
  const fileOptions = { flag: 'r', ...optionsOf(options) };
  if (typeof where !== 'number') refuseFolder(where, 'read');
  return withFile(where, fileOptions, (fd) => {
    const openFile = tree().getOpenFile(fd, 'read');
    if (!openFile.canRead) throw systemError('EBADF', { syscall: 'read' });
    const { content } = openFile.file;
    // A descriptor is read from its current position.
    const from = typeof where === 'number' ? openFile.position : 0;
    const bytes = Buffer.alloc(Math.max(0, content.size - from));
    content.read(bytes, from);
    openFile.position = content.size;
    return encodeContent(bytes, fileOptions);
  });
}

/** Node can open a folder and fails when it reads it, so the error has no path. */
function refuseFolder(where: PathLike, syscall: string): void {
  const path = pathText(where);
  if (tree().find(path, { syscall: 'open', path })?.kind === 'folder') throw systemError('EISDIR', { syscall });
}

export function writeFileSync(where: PathLike | number, data: unknown, options?: unknown): void {
  const fileOptions = { flag: 'w', ...optionsOf(options) };
  const bytes = bytesOf(data, fileOptions.encoding);
  withFile(where, fileOptions, (fd) => writeSync(fd, bytes));
}

export const appendFileSync = (where: PathLike | number, data: unknown, options?: unknown): void =>
  writeFileSync(where, data, { flag: 'a', ...optionsOf(options) });

export const truncateSync = (where: PathLike, size?: number): void =>
  withFile(where, { flag: 'r+' }, (fd) => ftruncateSync(fd, size));

function nodeAt(where: PathLike, syscall: string): TreeNode {
  const path = pathText(where);
  return tree().get(path, { syscall, path });
}

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

function stat(syscall: string, where: PathLike, options?: StatOptions): Stats | undefined {
  const path = pathText(where);
  const context = { syscall, path };
  const found = tree().find(path, context);
  if (found !== undefined) return statsOf(new Stats(found), options);
  if (options?.throwIfNoEntry === false) return undefined;
  throw systemError('ENOENT', context);
}

export const statSync = (where: PathLike, options?: StatOptions): Stats | undefined => stat('stat', where, options);
/** The same as stat, because there are no links. */
export const lstatSync = (where: PathLike, options?: StatOptions): Stats | undefined => stat('lstat', where, options);

/** False also for a value that cannot be a path. */
export function existsSync(where: unknown): boolean {
  try {
    nodeAt(where as PathLike, 'access');
    return true;
  } catch {
    return false;
  }
}

export function accessSync(where: PathLike, mode: number = constants.F_OK): void {
  const path = pathText(where);
  const context = { syscall: 'access', path };
  const node = tree().get(path, context);
  const isWritable = node.kind === 'file' || node.isWritable;
  if (mode & constants.W_OK && !isWritable) throw systemError('EACCES', context);
  if (mode & constants.X_OK && node.kind === 'file' && !(node.mode & 0o111)) throw systemError('EACCES', context);
}

export function unlinkSync(where: PathLike): void {
  const path = pathText(where);
  const context = { syscall: 'unlink', path };
  const files = tree();
  if (files.get(path, context).kind === 'folder') throw systemError('EISDIR', context);
  files.remove(path, context);
}

export function renameSync(from: PathLike, to: PathLike): void {
  const [path, dest] = [pathText(from, 'oldPath'), pathText(to, 'newPath')];
  tree().move(path, dest, { syscall: 'rename', path, dest });
}

export function copyFileSync(from: PathLike, to: PathLike, mode = 0): void {
  const [path, dest] = [pathText(from, 'src'), pathText(to, 'dest')];
  const context: SyscallContext = { syscall: 'copyfile', path, dest };
  const files = tree();
  const source = files.get(path, context);
  const target = files.find(dest, context);
  if (source.kind === 'folder' || target?.kind === 'folder') throw systemError('EISDIR', context);
  if (target !== undefined && mode & constants.COPYFILE_EXCL) throw systemError('EEXIST', context);
  if (source !== target) copy(source, dest);
}

function copy(source: FileNode, dest: string): void {
  const bytes = Buffer.alloc(source.content.size);
  source.content.read(bytes, 0);
  writeFileSync(dest, bytes, { mode: source.mode });
}

export function utimesSync(where: PathLike, atime: unknown, mtime: unknown): void {
  const node = nodeAt(where, 'utime');
  [node.readMs, node.writtenMs] = [epochMs(atime), epochMs(mtime)];
}

export function chmodSync(where: PathLike, mode: number | string): void {
  const node = nodeAt(where, 'chmod');
  node.mode = (typeof mode === 'string' ? Number.parseInt(mode, 8) : mode) & 0o7777;
}

/** Only touches the node, because everything belongs to the component. */
export const chownSync = (where: PathLike): void => touch(nodeAt(where, 'chown'));

function realpath(where: PathLike): string {
  const text = pathText(where);
  const context = { syscall: 'lstat', path: text };
  tree().get(text, context);
  return tree().fullPath(text, context);
}
export const realpathSync = Object.assign((where: PathLike) => realpath(where), { native: realpath });

function refuseLinks(syscall: string) {
  return (from: PathLike, to: PathLike): never => {
    throw systemError('EPERM', { syscall, path: pathText(from), dest: pathText(to), hint: 'components have no links' });
  };
}
export const linkSync = refuseLinks('link');
export const symlinkSync = refuseLinks('symlink');
export function readlinkSync(where: PathLike): never {
  nodeAt(where, 'readlink');
  throw systemError('EINVAL', { syscall: 'readlink', path: pathText(where) });
}
