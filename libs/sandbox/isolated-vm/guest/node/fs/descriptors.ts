// Opens files, and reads and writes them by descriptor.
import { Buffer } from '../../encoding/buffer.ts';
import type { Encoding } from '../../encoding/buffer.ts';
import type { Output } from '../standard/output.ts';
import { stderr, stdout } from '../process.ts';
import { argumentError, systemError } from './fs-errors.ts';
import { bigStats, newFile, Stats, touch } from './nodes.ts';
import { pathText } from './paths.ts';
import type { PathLike } from './paths.ts';
import { tree } from './tree.ts';
import type { OpenFile } from './tree.ts';

export const constants = {
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  COPYFILE_EXCL: 1,
  COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE_FORCE: 4,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_SYNC: 0o4010000,
  O_DIRECTORY: 0o200000,
  O_NOFOLLOW: 0o400000,
  O_NONBLOCK: 0o4000,
  S_IFMT: 0o170000,
  S_IFREG: 0o100000,
  S_IFDIR: 0o040000,
  S_IFLNK: 0o120000,
  S_IFIFO: 0o010000,
  S_IFCHR: 0o020000,
  S_IFBLK: 0o060000,
  S_IFSOCK: 0o140000,
  S_IRWXU: 0o700,
  S_IRUSR: 0o400,
  S_IWUSR: 0o200,
  S_IXUSR: 0o100,
  S_IRWXG: 0o070,
  S_IRGRP: 0o040,
  S_IWGRP: 0o020,
  S_IXGRP: 0o010,
  S_IRWXO: 0o007,
  S_IROTH: 0o004,
  S_IWOTH: 0o002,
  S_IXOTH: 0o001,
  UV_FS_COPYFILE_EXCL: 1,
  UV_FS_O_FILEMAP: 0,
} as const;

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
const createFlags = O_CREAT | O_TRUNC;
const appendFlags = O_CREAT | O_APPEND;

/** Each also exists with `x`, which requires that the file is new, and with `s`, which has no effect here. */
const baseFlags: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_WRONLY | createFlags,
  'w+': O_RDWR | createFlags,
  a: O_WRONLY | appendFlags,
  'a+': O_RDWR | appendFlags,
};

function flagBits(flags: unknown): number {
  if (typeof flags === 'number') return flags;
  const text = String(flags ?? 'r');
  const base = baseFlags[text.replace(/[xs]/g, '')];
  if (base !== undefined) return text.includes('x') ? base | O_EXCL : base;
  throw argumentError('ERR_INVALID_ARG_VALUE', `The argument 'flags' is invalid. Received '${text}'`);
}

/** As in Node: 0o666 without the bits of the umask. */
const defaultMode = 0o644;

const modeOf = (mode: unknown): number => (mode === undefined || mode === null ? defaultMode : Number(mode) & ~0o022);

export function openSync(where: PathLike, flags?: unknown, mode?: unknown): number {
  const path = pathText(where);
  const context = { syscall: 'open', path };
  const bits = flagBits(flags);
  const files = tree();
  const access = bits & 3;
  const found = files.find(path, context);
  if (found !== undefined && bits & O_CREAT && bits & O_EXCL) throw systemError('EEXIST', context);
  if (found === undefined && !(bits & O_CREAT)) throw systemError('ENOENT', context);
  if (found?.kind === 'folder') throw systemError('EISDIR', context);
  const file = found ?? newFile(modeOf(mode));
  if (found === undefined) files.add(path, file, context);
  else if (bits & O_TRUNC && access !== O_RDONLY) resize(0, { file, path }, 'open');
  const openFile = { file, path, canRead: access !== O_WRONLY, canWrite: access !== O_RDONLY };
  return files.open({ ...openFile, appends: (bits & O_APPEND) !== 0, position: 0 }, context);
}

export const closeSync = (fd: number): void => tree().close(fd);

/** A byte view of the buffer; throws if it is none. */
function viewOf(buffer: unknown): Uint8Array {
  if (ArrayBuffer.isView(buffer)) return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const message = 'The "buffer" argument must be an instance of Buffer, TypedArray, or DataView';
  throw argumentError('ERR_INVALID_ARG_TYPE', message);
}

export interface Range {
  readonly offset?: number | null;
  readonly length?: number | null;
  readonly position?: number | bigint | null;
}

/** Accepts offset, length and position as three arguments or as one object. */
function rangeOf(args: readonly unknown[]): Range {
  const [first, length, position] = args;
  if (typeof first === 'object' && first !== null) return first as Range;
  return { offset: first as number, length: length as number, position: position as number };
}

function partOf(bytes: Uint8Array, { offset, length }: Range): Uint8Array {
  const from = offset ?? 0;
  const size = length ?? bytes.length - from;
  if (from >= 0 && size >= 0 && from + size <= bytes.length) return bytes.subarray(from, from + size);
  const message = `The value of "length" is out of range. It must be <= ${bytes.length - from}. Received ${size}`;
  throw Object.assign(new RangeError(message), { code: 'ERR_OUT_OF_RANGE' });
}

/** Undefined: the file's current position. */
const positionOf = (position: unknown): number | undefined =>
  position === null || position === undefined || Number(position) < 0 ? undefined : Number(position);

export function readSync(fd: number, buffer: unknown, ...rest: readonly unknown[]): number {
  const openFile = tree().getOpenFile(fd, 'read');
  if (!openFile.canRead) throw systemError('EBADF', { syscall: 'read' });
  const range = rangeOf(rest);
  const position = positionOf(range.position);
  const count = openFile.file.content.read(partOf(viewOf(buffer), range), position ?? openFile.position);
  if (position === undefined) openFile.position += count;
  openFile.file.readMs = Date.now();
  return count;
}

/** The encoded text, or the view without a copy. */
export function bytesOf(data: unknown, encoding?: unknown): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, encoding as Encoding);
  if (ArrayBuffer.isView(data)) return viewOf(data);
  const message = 'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView';
  throw argumentError('ERR_INVALID_ARG_TYPE', message);
}

/** stdout and stderr are open without a file. */
const outputOf = (fd: number): Output | undefined => [stdout, stderr].find((output) => output.fd === fd);

/** Arguments: `fd, buffer, offset, length, position` or `fd, text, position, encoding`. Returns the bytes written. */
export function writeSync(fd: number, data: unknown, ...rest: readonly unknown[]): number {
  const isText = typeof data === 'string';
  const range = isText ? { position: rest[0] as number } : rangeOf(rest);
  const output = outputOf(fd);
  const openFile = output === undefined ? tree().getOpenFile(fd, 'write') : undefined;
  if (openFile?.canWrite === false) throw systemError('EBADF', { syscall: 'write' });
  const bytes = isText ? bytesOf(data, rest[1]) : partOf(viewOf(data), range);
  if (openFile === undefined) output?.write(bytes);
  else writeAt(openFile, bytes, positionOf(range.position));
  return bytes.length;
}

function writeAt(openFile: OpenFile, bytes: Uint8Array, position: number | undefined): void {
  const { content } = openFile.file;
  const at = openFile.appends ? content.size : (position ?? openFile.position);
  const end = at + bytes.length;
  tree().charge(Math.max(0, end - content.size), { syscall: 'write', path: openFile.path });
  content.write(bytes, at);
  touch(openFile.file);
  if (position === undefined || openFile.appends) openFile.position = end;
}

function resize(size: unknown, { file, path }: Pick<OpenFile, 'file' | 'path'>, syscall: string): void {
  const newSize = Math.max(0, Math.trunc(Number(size ?? 0)) || 0);
  tree().charge(newSize - file.content.size, { syscall, path });
  file.content.resize(newSize);
  touch(file);
}

export const ftruncateSync = (fd: number, size?: number): void => {
  const openFile = tree().getOpenFile(fd, 'ftruncate');
  if (!openFile.canWrite) throw systemError('EINVAL', { syscall: 'ftruncate' });
  resize(size, openFile, 'ftruncate');
};

export function statsOf(stats: Stats, options?: { readonly bigint?: boolean } | null): Stats {
  return options?.bigint === true ? (bigStats(stats) as Stats) : stats;
}

export const fstatSync = (fd: number, options?: { readonly bigint?: boolean }): Stats =>
  statsOf(new Stats(tree().getOpenFile(fd, 'fstat').file), options);

export const fsyncSync = (fd: number): void => void tree().getOpenFile(fd, 'fsync');
export const fdatasyncSync = (fd: number): void => void tree().getOpenFile(fd, 'fdatasync');
export const fchmodSync = (fd: number, mode: number): void => {
  tree().getOpenFile(fd, 'fchmod').file.mode = Number(mode) & 0o7777;
};
export const fchownSync = (fd: number): void => void tree().getOpenFile(fd, 'fchown');
export const futimesSync = (fd: number, atime: unknown, mtime: unknown): void => {
  const { file } = tree().getOpenFile(fd, 'futime');
  [file.readMs, file.writtenMs] = [epochMs(atime), epochMs(mtime)];
};

/** `time`: seconds, as a number or text, or a Date. */
export const epochMs = (time: unknown): number => (time instanceof Date ? time.getTime() : Number(time) * 1000);
