// Reads the built files of the console into memory: there are some hundred, and no path from a request is opened.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** The console has a few MiB. A folder with more than this holds something else. */
const filesMax = 2_000;
const bytesMax = 64 * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** In the order in which they are preferred. */
export const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;
export type Encoding = (typeof encodings)[number]['name'];

export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  /** The body as it was compressed by the build. */
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
  readonly etag: string;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
}

/** By path, such as `/assets/index-x.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** Reads the output folder of `vite build`. Returns an empty map if there is no such folder. */
export async function readConsole(folder: string): Promise<ConsoleFiles> {
  const contents = await readAll(folder);
  const files = new Map<string, ConsoleFile>();
  for (const [path, body] of contents) {
    if (encodings.some(({ suffix }) => path.endsWith(suffix))) continue;
    const compressed = encodings.flatMap(({ name, suffix }) => {
      const found = contents.get(path + suffix);
      return found === undefined ? [] : [[name, found] as const];
    });
    files.set(path, {
      type: types[extname(path)] ?? 'application/octet-stream',
      body,
      compressed: new Map(compressed),
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      isHashed: path.startsWith('/assets/'),
    });
  }
  return files;
}

async function readAll(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  for (const path of await filesIn(folder)) {
    const body = await readFile(path);
    bytes += body.length;
    if (contents.size >= filesMax || bytes > bytesMax)
      throw new Error(`${folder} holds more than the console: build it again with npm start.`);
    contents.set(`/${relative(folder, path).split(sep).join('/')}`, body);
  }
  return contents;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
