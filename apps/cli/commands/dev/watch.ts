// The saves of a component's files. Editors write them in place, in pieces, or put new files in their place: their folders are watched.
import { existsSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileCode } from '../../props/code.ts';

/** What an editor writes in pieces is one save. */
const settleMs = 50;

/** Wakes anyone who waits when one of the files may have changed. */
class Watched {
  #files = new Set<string>();
  readonly #folders = new Map<string, FSWatcher>();
  #wake: () => void = () => undefined;
  // What was saved before the watch began is found by the first look.
  #isChanged = true;

  watch(paths: readonly string[]): void {
    this.#files = new Set(paths.map(watchable));
    const folders = new Set([...this.#files].map((path) => dirname(path)));
    for (const folder of this.#folders.keys()) {
      if (!folders.has(folder)) this.#drop(folder);
    }
    for (const folder of folders) if (!this.#folders.has(folder)) this.#add(folder);
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        // The folder itself was moved or removed: one in its place needs another watcher.
        if (name === basename(folder)) this.#drop(folder);
        if (name === null || name === basename(folder) || this.#files.has(join(folder, name))) this.change();
      });
      watcher.on('error', () => this.#drop(folder));
      this.#folders.set(folder, watcher);
    } catch (error) {
      // It has gone since it was seen: the next look finds what is there in its place.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    // What was saved before it was watched is found by another look.
    this.change();
  }

  #drop(folder: string): void {
    this.#folders.get(folder)?.close();
    this.#folders.delete(folder);
  }

  change(): void {
    this.#isChanged = true;
    this.#wake();
  }

  async changed(): Promise<void> {
    if (!this.#isChanged) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#isChanged = false;
  }

  close(): void {
    for (const watcher of this.#folders.values()) watcher.close();
  }
}

/** Where nothing is yet: the first folder of its path that is missing. */
function watchable(path: string): string {
  let place = path;
  while (!existsSync(dirname(place))) place = dirname(place);
  return place;
}

/**
 * Yields the code whenever it differs from what it yielded last, at first from `before`, until the signal. Saves close
 * together count as one.
 */
export async function* saves(
  read: () => Promise<FileCode>,
  before: FileCode,
  signal: AbortSignal,
): AsyncGenerator<FileCode> {
  let last = before;
  const watched = new Watched();
  const wake = (): void => watched.change();
  signal.addEventListener('abort', wake, { once: true });
  try {
    watched.watch(before.paths);
    while (!signal.aborted) {
      await watched.changed();
      await pause(settleMs, undefined, { signal }).catch(() => undefined);
      // Between the old file and the new one there is none.
      const next = await read().catch(() => last);
      if (signal.aborted) continue;
      watched.watch(next.paths);
      if (isSame(next, last) || isBeingWritten(next)) continue;
      last = next;
      yield next;
    }
  } finally {
    signal.removeEventListener('abort', wake);
    watched.close();
  }
}

const isSame = (one: FileCode, other: FileCode): boolean => JSON.stringify(one.code) === JSON.stringify(other.code);

/** An editor that writes in place empties the file first. */
const isBeingWritten = ({ code: { component_code, files, entry = '' } }: FileCode): boolean =>
  (component_code ?? files?.[entry]) === '';
