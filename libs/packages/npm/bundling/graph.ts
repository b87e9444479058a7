// The import graph of a bundle: the imports of each file, and the shortest way to an import.
import type { Metafile } from 'esbuild';

export interface Import {
  /** A file of the bundle, or the name of an external module that the isolate resolves. */
  readonly path: string;
  readonly kind: string;
  readonly isExternal: boolean;
  /** The name in the importer's text. */
  readonly specifier: string;
}

export interface Step extends Import {
  readonly importer: string;
}

const modules = 'node_modules/';

/** The folder of the package that a file belongs to; empty for the author's own files. */
export function packageOf(file: string): string {
  const at = file.lastIndexOf(modules);
  if (at === -1) return '';
  const [first = '', second = ''] = file.slice(at + modules.length).split('/');
  return file.slice(0, at + modules.length) + (first.startsWith('@') ? `${first}/${second}` : first);
}

/** A file's path without the folders in which it is installed. */
function shownFile(file: string): string {
  const at = file.lastIndexOf(modules);
  const path = at === -1 ? file.replace(/^program:/, '') : file.slice(at + modules.length);
  // Two ranges of one package are installed next to each other, under names that end with a hash.
  return path.replace(/^((?:@[^/]+\/)?[^/]+)\.[0-9a-f]{12}(?=\/|$)/, '$1');
}

export class Graph {
  readonly #imports: ReadonlyMap<string, readonly Import[]>;
  readonly #entry: string;

  /** `unseen`: imports of a file that esbuild has not seen. */
  constructor({ inputs }: Metafile, entry: string, unseen: (file: string) => readonly Import[] = () => []) {
    this.#entry = entry;
    const all = Object.entries(inputs).map(([file, { imports }]) => {
      const read = imports.map(({ path, kind, external = false, original }) => {
        return { path, kind, isExternal: external, specifier: original ?? path };
      });
      return [file, [...read, ...unseen(file)]] as const;
    });
    this.#imports = new Map(all);
  }

  get files(): Iterable<string> {
    return this.#imports.keys();
  }

  importsOf(file: string): readonly Import[] {
    return this.#imports.get(file) ?? [];
  }

  /** The shortest way from the entry to an import; empty if there is none. */
  wayTo(file: string, wanted: Import): readonly Step[] {
    const before = new Map<string, Step>();
    const open = [this.#entry];
    for (let at = 0; at < open.length; at += 1) {
      const importer = open[at] ?? '';
      if (importer === file) return [...this.#wayBack(importer, before), { ...wanted, importer }];
      for (const one of this.importsOf(importer)) {
        if (one.isExternal || one.path === this.#entry || before.has(one.path)) continue;
        before.set(one.path, { ...one, importer });
        open.push(one.path);
      }
    }
    return [];
  }

  #wayBack(file: string, before: ReadonlyMap<string, Step>): readonly Step[] {
    const steps: Step[] = [];
    for (let step = before.get(file); step !== undefined; step = before.get(step.importer)) steps.unshift(step);
    return steps;
  }

  /** Such as `component.js -> mysql2 -> mysql2/lib/connection.js -> net`. */
  shown(way: readonly Step[]): string {
    const names = way.map(({ importer, path, isExternal, specifier }) => {
      if (isExternal) return specifier.replace(/^node:/, '');
      // An import from outside of a package is shown by its specifier.
      const enters = packageOf(path) !== packageOf(importer);
      return enters && !/^[./]/.test(specifier) ? specifier : shownFile(path);
    });
    return [shownFile(this.#entry), ...names].join(' -> ');
  }
}
