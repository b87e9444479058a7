// Caches compiled components on disk: keyed by content, checked when read, the least recently used deleted first.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundle } from '../../packages.ts';

/** Room for some thousands of large components; missing ones are compiled again. */
const defaultBytesMax = 256 * 1024 * 1024;
/** The part of the limit written between two sweeps of the directory, to which other processes can write too. */
const sweepPart = 1 / 8;
/** The least room of a file on disk. */
const blockBytes = 4_096;
/** Writing takes milliseconds, so an older unfinished file was left by a process that died. */
const unfinishedMaxMs = 60_000;

const entryName = /^[0-9a-f]{64}$/;
const hashLength = 64;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

export class DiskCache {
  readonly #directory: string;
  readonly #edition: string;
  readonly #bytesMax: number;
  #unsweptBytes = Infinity;
  #sweeping = false;

  /** `edition` names the compiler; results of another compiler are not found. */
  constructor(cacheDir: string, edition: string, bytesMax = defaultBytesMax) {
    this.#directory = join(cacheDir, 'compiled');
    this.#edition = edition;
    this.#bytesMax = bytesMax;
  }

  /** Undefined if the entry is missing or damaged. */
  async read(key: string): Promise<Bundle | undefined> {
    const path = this.#path(key);
    const text = await readFile(path, 'utf8').catch(() => '');
    const body = text.slice(hashLength);
    if (body === '') return undefined;
    if (sha256(body) !== text.slice(0, hashLength)) {
      await rm(path, { force: true }).catch(() => {});
      return undefined;
    }
    const now = new Date();
    // A failure only affects the order of deletion.
    utimes(path, now, now).catch(() => {});
    return JSON.parse(body) as Bundle;
  }

  /** Never rejects; with a full or read-only disk, components are compiled again when they are loaded. */
  async write(key: string, { js, map }: Bundle): Promise<void> {
    const body = JSON.stringify({ js, map });
    const path = this.#path(key);
    const unfinished = `${path}.${process.pid}`;
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, sha256(body) + body, { mode: 0o600 });
      await rename(unfinished, path);
    } catch {
      await rm(unfinished, { force: true }).catch(() => {});
      return;
    }
    this.#unsweptBytes += Math.max(body.length, blockBytes);
    if (this.#unsweptBytes > this.#bytesMax * sweepPart) await this.#sweep().catch(() => {});
  }

  #path(key: string): string {
    return join(this.#directory, sha256(`${this.#edition}\n${key}`));
  }

  async #sweep(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#unsweptBytes = 0;
    try {
      const entries = await this.#entries();
      let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
      for (const entry of entries.sort((one, other) => one.usedAt - other.usedAt)) {
        if (bytes <= this.#bytesMax * (1 - sweepPart)) break;
        await rm(entry.path, { force: true });
        bytes -= entry.bytes;
      }
    } finally {
      this.#sweeping = false;
    }
  }

  async #entries(): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name);
      const stats = await stat(path).catch(() => undefined);
      if (!stats) continue;
      const usedAt = stats.mtimeMs;
      if (entryName.test(name)) entries.push({ path, bytes: Math.max(stats.size, blockBytes), usedAt });
      else if (Date.now() - usedAt > unfinishedMaxMs) await rm(path, { force: true });
    }
    return entries;
  }
}
