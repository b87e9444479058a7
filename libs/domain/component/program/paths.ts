// What the paths of a program's files must be: relative, written in one way only, and none of them a folder of another.
import { filesMax, pathCharsMax } from './program.ts';

/** A component's file: what can be loaded as one. */
export const isModulePath = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

/** What is wrong with the paths; undefined: they can be used. */
export function pathsProblem(paths: readonly string[]): string | undefined {
  if (paths.length > filesMax) return `a component has at most ${filesMax} files, and these are ${paths.length}`;
  for (const path of paths) {
    const wrong = pathProblem(path);
    if (wrong !== undefined) return `"${path.slice(0, pathCharsMax)}" ${wrong}`;
  }
  const all = new Set(paths);
  const folder = paths.flatMap(foldersOf).find((one) => all.has(one));
  return folder === undefined ? undefined : `"${folder}" is a file and a folder at once`;
}

function pathProblem(path: string): string | undefined {
  if (path.length > pathCharsMax) return `has more than ${pathCharsMax} characters`;
  if (!path.isWellFormed() || hasControl(path)) return 'has characters that no path has';
  if (path.includes('\\')) return 'has a backslash: separate folders by /';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'is not relative: name files from the common folder';
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    return 'is not in its shortest form: give paths without empty parts, "." and ".."';
  return names.includes('node_modules') ? 'lies in node_modules: packages are imported by name' : undefined;
}

const hasControl = (path: string): boolean => [...path].some((one) => one < ' ' || one === '\u007f');

function foldersOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, depth) => names.slice(0, depth + 1).join('/'));
}
