// fs.glob: finds the files and folders whose paths match patterns.
import { nextTick } from '../../process.ts';
import { globsOf } from '../../path/glob.ts';
import type { Glob } from '../../path/glob.ts';
import { Dirent } from '../nodes.ts';
import type { FolderNode, TreeNode } from '../nodes.ts';
import { pathText } from '../paths.ts';
import type { PathLike } from '../paths.ts';
import { tree } from '../tree.ts';

type Exclude = ((entry: string | Dirent) => unknown) | readonly string[];

interface GlobOptions {
  readonly cwd?: PathLike;
  readonly exclude?: Exclude;
  readonly withFileTypes?: boolean;
}

interface GlobMatch {
  /** Relative to the folder where the search began; empty: that folder. */
  readonly path: string;
  readonly node: TreeNode;
}

const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const parentOf = (path: string): string => path.replace(/\/?[^/]*$/, '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function* descendantsOf({ path, node }: GlobMatch, isExcluded: (found: GlobMatch) => boolean): Generator<GlobMatch> {
  if (node.kind === 'file') return;
  for (const [name, child] of node.children) {
    const found = { path: joinPath(path, name), node: child };
    if (isExcluded(found)) continue;
    yield found;
    yield* descendantsOf(found, isExcluded);
  }
}

const folderAt = (path: string): FolderNode | undefined => {
  const found = tree().find(path, { syscall: 'scandir', path });
  return found?.kind === 'folder' ? found : undefined;
};

class Search {
  readonly #options: GlobOptions;
  readonly #excludedGlobs: readonly Glob[];

  constructor(options: GlobOptions) {
    this.#options = options;
    const { exclude } = options;
    this.#excludedGlobs = typeof exclude === 'object' ? exclude.flatMap(globsOf) : [];
  }

  /** Searches from the root if the pattern is absolute, otherwise from `cwd`. */
  find(glob: Glob): readonly (string | Dirent)[] {
    const cwd = pathText(this.#options.cwd ?? '/');
    const startFolder = glob.isAbsolute ? '/' : cwd;
    const node = folderAt(startFolder);
    if (node === undefined) return [];
    const candidates = [
      { path: '', node },
      ...descendantsOf({ path: '', node }, (found) => this.#isExcluded(found, startFolder)),
    ];
    return candidates
      .filter((found) => found.node.kind === 'folder' || !glob.isFoldersOnly)
      .filter(({ path }) => glob.matches(glob.isAbsolute ? `/${path}` : path, true))
      .map((found) => this.#toResult(found, startFolder, glob.isAbsolute));
  }

  #isExcluded(found: GlobMatch, startFolder: string): boolean {
    const { exclude, withFileTypes } = this.#options;
    if (typeof exclude === 'function')
      return Boolean(exclude(withFileTypes === true ? this.#entry(found, startFolder) : nameOf(found.path)));
    return this.#excludedGlobs.some((glob) => glob.matches(found.path, true));
  }

  #entry({ path, node }: GlobMatch, startFolder: string): Dirent {
    const base = startFolder.replace(/\/$/, '');
    return new Dirent(nameOf(path), joinPath(base, parentOf(path)) || '/', node);
  }

  #toResult(found: GlobMatch, startFolder: string, isAbsolute: boolean): string | Dirent {
    if (this.#options.withFileTypes === true) return this.#entry(found, startFolder);
    return isAbsolute ? `/${found.path}` : found.path || '.';
  }
}

/** Each result once, even if it matches several patterns. */
export function globSync(pattern: string | readonly string[], options: GlobOptions = {}): readonly (string | Dirent)[] {
  const search = new Search(options);
  const found = [pattern].flat().flatMap((one) => globsOf(String(one)).flatMap((glob) => search.find(glob)));
  return options.withFileTypes === true ? found : [...new Set(found)];
}

export async function* globEach(
  pattern: string | readonly string[],
  options?: GlobOptions,
): AsyncGenerator<string | Dirent> {
  yield* globSync(pattern, options);
}

type Callback = (error: unknown, found?: readonly (string | Dirent)[]) => void;

export function glob(pattern: string, ...rest: [GlobOptions, Callback] | [Callback]): void {
  const callback = rest.at(-1) as Callback;
  const options = rest.length > 1 ? (rest[0] as GlobOptions) : {};
  const found = globSync(pattern, options);
  nextTick(() => callback(null, found));
}
