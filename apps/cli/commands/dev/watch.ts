// Watches a component's files for saves, through their folders: editors write a file in pieces, or replace it.
import { existsSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileCode } from '../../props/code.ts';

/** Writes of an editor in several pieces count as one save. */
const settleMs = 50;

/** Watches the folders of the files; `waitForChange` resolves when one of the files might have changed. */
class FolderWatcher {
  #files = new Set<string>();
  readonly #folders = new Map<string, FSWatcher>();
  #wake: () => void = () => undefined;
  // True at first, so that a save before the watch began is found.
  #isChanged = true;

  watch(paths: readonly string[]): void {
    this.#files = new Set(paths.map(watchablePath));
    const folders = new Set([...this.#files].map((path) => dirname(path)));
    for (const folder of this.#folders.keys()) {
      if (!folders.has(folder)) this.#drop(folder);
    }
    for (const folder of folders) if (!this.#folders.has(folder)) this.#add(folder);
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        // The folder itself was moved or removed: a new one in its place needs another watcher.
        if (name === basename(folder)) this.#drop(folder);
        if (name === null || name === basename(folder) || this.#files.has(join(folder, name))) this.notifyChange();
      });
      watcher.on('error', () => this.#drop(folder));
      this.#folders.set(folder, watcher);
    } catch (error) {
      // The folder is gone meanwhile: the next read finds what replaced it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    // Reads once more, for a save before this folder was watched.
    this.notifyChange();
  }

  #drop(folder: string): void {
    this.#folders.get(folder)?.close();
    this.#folders.delete(folder);
  }

  notifyChange(): void {
    this.#isChanged = true;
    this.#wake();
  }

  async waitForChange(): Promise<void> {
    if (!this.#isChanged) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#isChanged = false;
  }

  close(): void {
    for (const watcher of this.#folders.values()) watcher.close();
  }
}

/** The path itself if its folder exists; otherwise the first missing folder on the way. */
function watchablePath(path: string): string {
  let candidate = path;
  while (!existsSync(dirname(candidate))) candidate = dirname(candidate);
  return candidate;
}

/**
 * Yields the code whenever it differs from what it yielded last, at first from `initial`, until the signal. Saves close
 * together count as one.
 */
export async function* watchSaves(
  read: () => Promise<FileCode>,
  initial: FileCode,
  signal: AbortSignal,
): AsyncGenerator<FileCode> {
  let previous = initial;
  const folderWatcher = new FolderWatcher();
  const wake = (): void => folderWatcher.notifyChange();
  signal.addEventListener('abort', wake, { once: true });
  try {
    folderWatcher.watch(initial.paths);
    while (!signal.aborted) {
      await folderWatcher.waitForChange();
      await pause(settleMs, undefined, { signal }).catch(() => undefined);
      // The read fails while an editor replaces the file.
      const next = await read().catch(() => previous);
      if (signal.aborted) continue;
      folderWatcher.watch(next.paths);
      if (isSame(next, previous) || isBeingWritten(next)) continue;
      previous = next;
      yield next;
    }
  } finally {
    signal.removeEventListener('abort', wake);
    folderWatcher.close();
  }
}

const isSame = (one: FileCode, other: FileCode): boolean => JSON.stringify(one.code) === JSON.stringify(other.code);

/** An editor that writes in place empties the file first. */
const isBeingWritten = ({ code: { component_code, files, entry = '' } }: FileCode): boolean =>
  (component_code ?? files?.[entry]) === '';
