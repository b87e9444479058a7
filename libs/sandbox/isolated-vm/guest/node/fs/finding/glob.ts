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

interface Found {
  /** Relative to the folder where the search began; empty: that folder. */
  readonly path: string;
  readonly node: TreeNode;
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const parentOf = (path: string): string => path.replace(/\/?[^/]*$/, '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function* within({ path, node }: Found, isLeftOut: (found: Found) => boolean): Generator<Found> {
  if (node.kind === 'file') return;
  for (const [name, child] of node.children) {
    const found = { path: joined(path, name), node: child };
    if (isLeftOut(found)) continue;
    yield found;
    yield* within(found, isLeftOut);
  }
}

const folderAt = (path: string): FolderNode | undefined => {
  const found = tree().find(path, { syscall: 'scandir', path });
  return found?.kind === 'folder' ? found : undefined;
};

class Search {
  readonly #options: GlobOptions;
  readonly #excluded: readonly Glob[];

  constructor(options: GlobOptions) {
    this.#options = options;
    const { exclude } = options;
    this.#excluded = typeof exclude === 'object' ? exclude.flatMap(globsOf) : [];
  }

  /** Searches from the root if the pattern is absolute, otherwise from `cwd`. */
  find(glob: Glob): readonly (string | Dirent)[] {
    const cwd = pathText(this.#options.cwd ?? '/');
    const begin = glob.isAbsolute ? '/' : cwd;
    const node = folderAt(begin);
    if (node === undefined) return [];
    const all = [{ path: '', node }, ...within({ path: '', node }, (found) => this.#isLeftOut(found, begin))];
    return all
      .filter((found) => found.node.kind === 'folder' || !glob.isOfFolders)
      .filter(({ path }) => glob.matches(glob.isAbsolute ? `/${path}` : path, true))
      .map((found) => this.#shown(found, begin, glob.isAbsolute));
  }

  #isLeftOut(found: Found, begin: string): boolean {
    const { exclude, withFileTypes } = this.#options;
    if (typeof exclude === 'function')
      return Boolean(exclude(withFileTypes === true ? this.#entry(found, begin) : nameOf(found.path)));
    return this.#excluded.some((glob) => glob.matches(found.path, true));
  }

  #entry({ path, node }: Found, begin: string): Dirent {
    const base = begin.replace(/\/$/, '');
    return new Dirent(nameOf(path), joined(base, parentOf(path)) || '/', node);
  }

  #shown(found: Found, begin: string, isAbsolute: boolean): string | Dirent {
    if (this.#options.withFileTypes === true) return this.#entry(found, begin);
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
