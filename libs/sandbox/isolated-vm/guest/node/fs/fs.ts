// Node's fs and fs/promises on the run's own tree: synchronous functions, and both asynchronous forms of each.
import { Blob } from '../../fetch/blob.ts';
import * as descriptors from './descriptors.ts';
import { constants } from './descriptors.ts';
import { unavailableError } from './fs-errors.ts';
import { FileHandle, readAllBytes } from './file-handle.ts';
import * as files from './files.ts';
import { setPromisified, withCallback, withPromise } from './async-forms.ts';
import * as folders from './folders.ts';
import { glob, globEach, globSync } from './finding/glob.ts';
import { Dirent, Stats } from './nodes.ts';
import type { PathLike } from './paths.ts';
import { ReadStream, WriteStream, createReadStream, createWriteStream } from './streams.ts';

type Sync = (...args: never[]) => unknown;

const byPath: Readonly<Record<string, Sync>> = {
  access: files.accessSync,
  appendFile: files.appendFileSync,
  chmod: files.chmodSync,
  chown: files.chownSync,
  lchown: files.chownSync,
  copyFile: files.copyFileSync,
  cp: folders.cpSync,
  link: files.linkSync,
  lstat: files.lstatSync,
  lutimes: files.utimesSync,
  mkdir: folders.mkdirSync,
  mkdtemp: folders.mkdtempSync,
  opendir: folders.opendirSync,
  readFile: files.readFileSync,
  readdir: folders.readdirSync,
  readlink: files.readlinkSync,
  realpath: files.realpathSync,
  rename: files.renameSync,
  rm: folders.rmSync,
  rmdir: folders.rmdirSync,
  stat: files.statSync,
  symlink: files.symlinkSync,
  truncate: files.truncateSync,
  unlink: files.unlinkSync,
  utimes: files.utimesSync,
  writeFile: files.writeFileSync,
};

const byDescriptor: Readonly<Record<string, Sync>> = {
  close: descriptors.closeSync,
  fchmod: descriptors.fchmodSync,
  fchown: descriptors.fchownSync,
  fdatasync: descriptors.fdatasyncSync,
  fstat: descriptors.fstatSync,
  fsync: descriptors.fsyncSync,
  ftruncate: descriptors.ftruncateSync,
  futimes: descriptors.futimesSync,
  open: descriptors.openSync,
};

const transfers = { read: descriptors.readSync, write: descriptors.writeSync };

const nameForms = (form: (act: Sync) => unknown, functions: Readonly<Record<string, Sync>>, suffix = ''): object =>
  Object.fromEntries(Object.entries(functions).map(([name, act]) => [`${name}${suffix}`, form(act)]));

/** Functions whose callback has the buffer as its second value. */
const transferForms = Object.fromEntries(
  Object.entries(transfers).map(([name, act]) => {
    const form = withCallback(act as Sync, (count, [, buffer]) => [count, buffer]);
    return [name, setPromisified(form, act as Sync, name === 'read' ? 'bytesRead' : 'bytesWritten')];
  }),
);

/** fs.exists, whose callback has no error argument. */
const exists = Object.defineProperty(
  (where: unknown, callback: (doesExist: boolean) => void): void => {
    const doesExist = files.existsSync(where);
    void Promise.resolve().then(() => callback(doesExist));
  },
  Symbol.for('nodejs.util.promisify.custom'),
  { value: async (where: unknown) => files.existsSync(where) },
);

const openAsBlob = async (where: PathLike, options: { readonly type?: string } = {}): Promise<Blob> =>
  new Blob([files.readFileSync(where)], options);

function watch(): never {
  throw unavailableError('Watching files is not available to components: nobody else changes them');
}

/** Also accepts streams and other iterables, which writeFileSync does not. */
const acceptStreams =
  (act: (where: PathLike | number, data: unknown, options?: unknown) => void) =>
  async (where: PathLike | number | FileHandle, data: unknown, options?: unknown): Promise<void> =>
    act(where instanceof FileHandle ? where.fd : where, await readAllBytes(data), options);

const open = async (where: PathLike, flags?: unknown, mode?: unknown): Promise<FileHandle> =>
  new FileHandle(descriptors.openSync(where, flags, mode));

export const promises = {
  ...nameForms(withPromise, byPath),
  open,
  glob: globEach,
  readFile: async (where: PathLike | FileHandle, options?: unknown) =>
    files.readFileSync(where instanceof FileHandle ? where.fd : where, options),
  writeFile: acceptStreams(files.writeFileSync),
  appendFile: acceptStreams(files.appendFileSync),
  watch,
  constants,
};

export const fs = {
  ...nameForms((act) => act, { ...byPath, ...byDescriptor, ...(transfers as unknown as Record<string, Sync>) }, 'Sync'),
  ...nameForms((act) => withCallback(act), { ...byPath, ...byDescriptor }),
  ...transferForms,
  realpath: Object.assign(withCallback(files.realpathSync), { native: withCallback(files.realpathSync) }),
  existsSync: files.existsSync,
  exists,
  createReadStream,
  createWriteStream,
  ReadStream,
  WriteStream,
  FileReadStream: ReadStream,
  FileWriteStream: WriteStream,
  Stats,
  Dirent,
  constants,
  promises,
  openAsBlob,
  glob,
  globSync,
  watch,
  watchFile: watch,
  unwatchFile: () => {},
  F_OK: constants.F_OK,
  R_OK: constants.R_OK,
  W_OK: constants.W_OK,
  X_OK: constants.X_OK,
};
