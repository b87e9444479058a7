// Finds the file that a thread or a process runs, next to the file that starts it.

/**
 * `from`: import.meta.url of the file that starts it; `path`: relative to that file, without extension. The file is
 * TypeScript when run from source, and JavaScript when built.
 */
export function programUrl(from: string, path: string): URL {
  return new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
