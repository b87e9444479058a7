// Checks the paths of a program's files: relative, in shortest form, and none of them a folder of another.
import { filesMax, pathCharsMax } from './program.ts';

/** Whether the path names a file that can be loaded as a module. */
export const isModulePath = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

/** The problem with the paths; undefined: they are valid. */
export function pathsProblem(paths: readonly string[]): string | undefined {
  if (paths.length > filesMax) return `a component has at most ${filesMax} files, and these are ${paths.length}`;
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== undefined) return `"${path.slice(0, pathCharsMax)}" ${problem}`;
  }
  const pathSet = new Set(paths);
  const folder = paths.flatMap(foldersOf).find((folderPath) => pathSet.has(folderPath));
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
