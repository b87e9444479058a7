// Finds a thread's file: beside the file that starts the thread, and like it in TypeScript or JavaScript.

/** `from` is the starter's import.meta.url, `path` without its extension. */
export function sibling(from: string, path: string): URL {
  return new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
