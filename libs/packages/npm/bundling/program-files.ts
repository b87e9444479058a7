// Resolves imports among the author's files, which are only in memory and import one another by relative paths.
import { posix } from 'node:path';
import type { Loader } from 'esbuild';
import type { Program } from '../../packages.ts';

/** The path of a program that is one text. */
export const defaultEntry = 'component.js';

const loaders: Readonly<Record<string, Loader>> = {
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.json': 'json',
  '.txt': 'text',
};

/** Endings that a path can omit; TypeScript's authors also write `.js` in place of `.ts`. */
const endings = ['.js', '.mjs', '.ts', '.cjs', '.mts', '.cts', '.json', '.jsx', '.tsx'];
const sourceEndings: Readonly<Record<string, string>> = {
  '.js': '.ts',
  '.mjs': '.mts',
  '.cjs': '.cts',
  '.jsx': '.tsx',
};

export const loaderOf = (path: string): Loader | undefined => loaders[posix.extname(path)];

export class ProgramFiles {
  readonly entry: string;
  readonly #files: ReadonlyMap<string, string>;

  constructor({ code, entry = defaultEntry, files = {} }: Program) {
    this.entry = posix.normalize(entry);
    const others = Object.entries(files).map(([path, text]) => [posix.normalize(path), text] as const);
    this.#files = new Map([...others, [this.entry, code]]);
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  get texts(): readonly string[] {
    return [...this.#files.values()];
  }

  text(path: string): string | undefined {
    return this.#files.get(path);
  }

  /** The file that `specifier` means in `importer`; undefined if there is none, as for every path that leads out. */
  resolve(specifier: string, importer: string): string | undefined {
    const path = posix.join(posix.dirname(importer), specifier);
    const sourceEnding = sourceEndings[posix.extname(path)];
    const candidates = [
      path,
      ...(sourceEnding === undefined ? [] : [path.slice(0, -posix.extname(path).length) + sourceEnding]),
      ...endings.map((ending) => path + ending),
      ...endings.map((ending) => posix.join(path, `index${ending}`)),
    ];
    return candidates.find((candidate) => this.#files.has(candidate));
  }
}
