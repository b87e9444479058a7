// Where a thread's file is: beside the one that starts it, and TypeScript or JavaScript like it.

/** `from` is the starter's import.meta.url, `path` without its extension. */
export function sibling(from: string, path: string): URL {
  return new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
