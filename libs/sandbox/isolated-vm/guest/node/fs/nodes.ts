// The nodes of the tree: files and folders, each with the fields that stat shows.
import { Content } from './content.ts';

const fileType = 0o100000;
const folderType = 0o040000;

interface NodeAttributes {
  readonly ino: number;
  /** Permissions; only stored, because there are no other users. */
  mode: number;
  readonly birthMs: number;
  readMs: number;
  writtenMs: number;
  changedMs: number;
}

export interface FileNode extends NodeAttributes {
  readonly kind: 'file';
  readonly content: Content;
  /** Removed from its folder but still open. */
  isRemoved: boolean;
}

export interface FolderNode extends NodeAttributes {
  readonly kind: 'folder';
  readonly children: Map<string, TreeNode>;
  /** A folder of the system, which can be neither removed nor renamed. */
  readonly isFixed: boolean;
  /** Whether the component may create entries in it. */
  readonly isWritable: boolean;
}

export type TreeNode = FileNode | FolderNode;

let lastIno = 1;

function newAttributes(mode: number): NodeAttributes {
  const now = Date.now();
  return { ino: ++lastIno, mode, birthMs: now, readMs: now, writtenMs: now, changedMs: now };
}

export const newFile = (mode: number): FileNode => ({
  kind: 'file',
  ...newAttributes(mode & 0o7777),
  content: new Content(),
  isRemoved: false,
});

export const newFolder = (mode: number, system?: { readonly isWritable: boolean }): FolderNode => ({
  kind: 'folder',
  ...newAttributes(mode & 0o7777),
  children: new Map(),
  isFixed: system !== undefined,
  isWritable: system?.isWritable ?? true,
});

export function touch(node: TreeNode): void {
  node.writtenMs = node.changedMs = Date.now();
}

/** The result of `fs.statSync`; there are no links, sockets or devices. */
export class Stats {
  readonly dev = 1;
  readonly rdev = 0;
  readonly nlink: number = 1;
  readonly uid = 1000;
  readonly gid = 1000;
  readonly blksize = 4_096;
  readonly ino: number;
  readonly mode: number;
  readonly size: number;
  readonly blocks: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;

  constructor(node: TreeNode) {
    const { ino, mode, readMs, writtenMs, changedMs, birthMs } = node;
    this.ino = ino;
    this.mode = mode | (node.kind === 'file' ? fileType : folderType);
    this.size = node.kind === 'file' ? node.content.size : this.blksize;
    this.blocks = Math.ceil(this.size / 512);
    [this.atimeMs, this.mtimeMs, this.ctimeMs, this.birthtimeMs] = [readMs, writtenMs, changedMs, birthMs];
    this.atime = new Date(readMs);
    this.mtime = new Date(writtenMs);
    this.ctime = new Date(changedMs);
    this.birthtime = new Date(birthMs);
  }
  isFile(): boolean {
    return (this.mode & folderType) === 0;
  }
  isDirectory(): boolean {
    return !this.isFile();
  }
  isSymbolicLink = no;
  isFIFO = no;
  isSocket = no;
  isBlockDevice = no;
  isCharacterDevice = no;
}

function no(): boolean {
  return false;
}

/** The form for the option `bigint`: numbers are BigInts, and there are times in nanoseconds. */
export function bigStats(stats: Stats): object {
  const entries = Object.entries(stats).map(([name, value]) => [
    name,
    typeof value === 'number' ? BigInt(Math.trunc(value)) : (value as unknown),
  ]);
  const nanos = ['atime', 'mtime', 'ctime', 'birthtime'].map((name) => [
    `${name}Ns`,
    BigInt(Math.trunc(stats[`${name}Ms` as 'atimeMs'])) * 1_000_000n,
  ]);
  const bigintStats = Object.create(Stats.prototype) as object;
  const isFile = stats.isFile();
  return Object.assign(bigintStats, Object.fromEntries([...entries, ...nanos]), {
    isFile: () => isFile,
    isDirectory: () => !isFile,
  });
}

/** An entry of a folder, as `readdir` returns with `withFileTypes`. */
export class Dirent {
  readonly name: string;
  readonly parentPath: string;
  readonly path: string;
  readonly #isFile: boolean;

  constructor(name: string, parentPath: string, node: TreeNode) {
    this.name = name;
    this.parentPath = this.path = parentPath;
    this.#isFile = node.kind === 'file';
  }
  isFile(): boolean {
    return this.#isFile;
  }
  isDirectory(): boolean {
    return !this.#isFile;
  }
  isSymbolicLink = no;
  isFIFO = no;
  isSocket = no;
  isBlockDevice = no;
  isCharacterDevice = no;
}
