// Fetches packages and unpacks them in memory, counting their bytes, so that files that are too large or have a wrong
// hash never reach the disk.
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser } from 'tar';
import type { ReadEntry } from 'tar';
import { addFolders } from '../../trees/folders.ts';
import type { InstallLimits } from '../install-protocol.ts';
import { RefusedInstallError } from './install-errors.ts';
import { pacote } from './npm.ts';
import type { TreeNode } from './npm.ts';

/** Files that are never part of a bundle: types, source maps, texts for people. */
const unbundledFile = /\.(?:d\.[cm]?ts|map|md|markdown|flow)$/i;
/** Larger than any bundle. */
const fileBytesMax = 16 * 1024 * 1024;

/** The parser would decompress data that again begins like compressed data; an empty block before it prevents that. */
const emptyBlock = Buffer.alloc(512);

/** Contents by path in the package. */
export type Files = ReadonlyMap<string, Buffer>;

const MiB = 1024 * 1024;

const limitError = (limit: string): Error =>
  new RefusedInstallError(
    `Its packages have more than ${limit}; no more are unpacked: import a package for the part that you use, as @googleapis/drive is one of googleapis`,
  );

/** The remaining limits for all packages of a tree together. */
export class UnpackBudget {
  readonly #limits: InstallLimits;
  #bytes = 0;
  #files = 0;

  constructor(limits: InstallLimits) {
    this.#limits = limits;
  }

  /** Throws if the limits are exceeded. */
  consume(bytes: number, files: number): void {
    this.#bytes += bytes;
    this.#files += files;
    const { unpackedBytes, filesMax } = this.#limits;
    if (this.#bytes > unpackedBytes) throw limitError(`${unpackedBytes / MiB} MiB`);
    if (this.#files > filesMax) throw limitError(`${filesMax} files and folders`);
  }

  /** Gives back to the limits what a failed attempt had taken. */
  refund(bytes: number, files: number): void {
    this.#bytes -= bytes;
    this.#files -= files;
  }
}

type Consume = (bytes: number, files: number) => void;

/** The path in the package, whose folder in the tarball can have any name. Undefined: the path leads out of it. */
function pathOf(entry: string): string | undefined {
  const [, ...parts] = entry.split('/').filter((part) => part !== '' && part !== '.');
  const isOutside = entry.startsWith('/') || parts.some((part) => part === '..' || /[\\\0]/.test(part));
  return isOutside ? undefined : parts.join('/');
}

/** Links are dropped, as in npm, because packages do not need them. */
const isFile = ({ type }: ReadEntry): boolean => /^(?:Old|Contiguous)?File$/.test(type);

async function readFiles(stream: AsyncIterable<Buffer>, name: string, consume: Consume): Promise<Files> {
  const files = new Map<string, Buffer>();
  const folders = new Set<string>();
  const reads: Promise<void>[] = [];
  let refusal: unknown;
  const onReadEntry = (entry: ReadEntry): void => {
    const path = pathOf(entry.path);
    if (path === undefined) refusal ??= new RefusedInstallError(`${name} has a file that is not in its own folder`);
    const isKept =
      isFile(entry) && path !== undefined && path !== '' && !unbundledFile.test(path) && entry.size <= fileBytesMax;
    try {
      consume(0, 1 + (isKept ? addFolders(path, folders) : 0));
    } catch (error) {
      refusal ??= error;
    }
    if (!isKept || refusal !== undefined) return void entry.resume();
    reads.push(entry.concat().then((bytes) => void files.set(path, Buffer.from(bytes))));
  };
  const parser = new Parser({ onReadEntry });
  parser.write(emptyBlock);
  const ended = new Promise<void>((resolve, reject) => void parser.once('end', resolve).once('error', reject));
  await pipeline(stream, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      consume(chunk.length, 0);
      parser.write(chunk);
      if (refusal !== undefined) throw refusal;
    }
    parser.end();
  });
  await ended;
  await Promise.all(reads);
  return files;
}

/** Fetches a package from the registry or npm's cache. */
export function fetchPackage(node: TreeNode, options: object, budget: UnpackBudget): Promise<Files> {
  const name = `${node.packageName}@${node.version}`;
  const { resolved, integrity } = node;
  const fetchOptions = { ...options, integrity, ...(resolved === null ? {} : { resolved }) };
  return pacote.tarball.stream(
    name,
    async (stream) => {
      let bytes = 0;
      let files = 0;
      const consume = (moreBytes: number, moreFiles: number): void => {
        bytes += moreBytes;
        files += moreFiles;
        budget.consume(moreBytes, moreFiles);
      };
      try {
        return await readFiles(stream, name, consume);
      } catch (error) {
        // npm might try once more.
        budget.refund(bytes, files);
        throw error;
      }
    },
    fetchOptions,
  );
}
