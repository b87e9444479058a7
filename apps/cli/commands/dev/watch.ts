// The saves of one file. Editors write it in place, in pieces, or put a new file in its place: its folder is watched.
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What an editor writes in pieces is one save. */
const settleMs = 50;

/** The file's text when it is another than before, and after each save that changes it, until the signal says so. Saves during one step are one. */
export async function* saves(path: string, before: string, signal: AbortSignal): AsyncGenerator<string> {
  let last = before;
  let wake: () => void = () => undefined;
  // What was saved before the watch began is found by the first look.
  let isChanged = true;
  const watcher = watch(dirname(path), (_, name) => {
    if (name !== null && name !== basename(path)) return;
    isChanged = true;
    wake();
  });
  // A folder that is taken away brings no more saves; the last text stands.
  watcher.on('error', () => undefined);
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      if (!isChanged) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      await pause(settleMs, undefined, { signal }).catch(() => undefined);
      isChanged = false;
      // Between the old file and the new one there is none.
      const text = await readFile(path, 'utf8').catch(() => last);
      // An editor that writes in place empties the file first.
      if (signal.aborted || text === last || text === '') continue;
      last = text;
      yield text;
    }
  } finally {
    watcher.close();
  }
}
