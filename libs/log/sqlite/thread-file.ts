// Finds a thread's file: next to the file that starts the thread, and TypeScript or JavaScript as that one is.

/** `from`: import.meta.url of the file that starts the thread; `path`: without extension. */
export function threadFileUrl(from: string, path: string): URL {
  return new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
