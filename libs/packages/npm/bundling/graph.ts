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

export interface ImportStep extends Import {
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

  /** `unseenImports`: imports of a file that esbuild has not seen. */
  constructor({ inputs }: Metafile, entry: string, unseenImports: (file: string) => readonly Import[] = () => []) {
    this.#entry = entry;
    const all = Object.entries(inputs).map(([file, { imports }]) => {
      const declared = imports.map(({ path, kind, external = false, original }) => {
        return { path, kind, isExternal: external, specifier: original ?? path };
      });
      return [file, [...declared, ...unseenImports(file)]] as const;
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
  shortestChain(file: string, target: Import): readonly ImportStep[] {
    const predecessors = new Map<string, ImportStep>();
    const queue = [this.#entry];
    for (let at = 0; at < queue.length; at += 1) {
      const importer = queue[at] ?? '';
      if (importer === file) return [...this.#chainTo(importer, predecessors), { ...target, importer }];
      for (const one of this.importsOf(importer)) {
        if (one.isExternal || one.path === this.#entry || predecessors.has(one.path)) continue;
        predecessors.set(one.path, { ...one, importer });
        queue.push(one.path);
      }
    }
    return [];
  }

  #chainTo(file: string, predecessors: ReadonlyMap<string, ImportStep>): readonly ImportStep[] {
    const steps: ImportStep[] = [];
    for (let step = predecessors.get(file); step !== undefined; step = predecessors.get(step.importer))
      steps.unshift(step);
    return steps;
  }

  /** Such as `component.js -> mysql2 -> mysql2/lib/connection.js -> net`. */
  formatChain(chain: readonly ImportStep[]): string {
    const names = chain.map(({ importer, path, isExternal, specifier }) => {
      if (isExternal) return specifier.replace(/^node:/, '');
      // An import from outside of a package is shown by its specifier.
      const enters = packageOf(path) !== packageOf(importer);
      return enters && !/^[./]/.test(specifier) ? specifier : shownFile(path);
    });
    return [shownFile(this.#entry), ...names].join(' -> ');
  }
}
