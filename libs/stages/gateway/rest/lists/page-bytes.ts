// Bounds the bytes of a page: one of large records ends before its limit, so that no answer takes much memory.

/** Bytes of a page's records as JSON. The record with which a page reaches this is its last one. */
export const pageBytesMax = 4 * 1024 * 1024;
/** Records of the first read, before their sizes are known: as many as most pages have. */
const firstReadMax = 10;
/** The most records of a later read: they can be larger than those before. */
const laterReadMax = 30;

export class PageBytes {
  #bytes = 0;
  #records = 0;

  get isFull(): boolean {
    return this.#bytes >= pageBytesMax;
  }

  add(record: unknown): void {
    this.#bytes += Buffer.byteLength(JSON.stringify(record) ?? '');
    this.#records += 1;
  }

  /** How many records to read next if `missing` more are needed: as many as fit if they are as large as those so far. */
  nextReadLimit(missing: number): number {
    if (this.#records === 0) return Math.min(missing, firstReadMax);
    const bytesPerRecord = Math.max(1, this.#bytes / this.#records);
    const fitting = Math.max(1, Math.ceil((pageBytesMax - this.#bytes) / bytesPerRecord));
    return Math.min(missing, laterReadMax, fitting);
  }
}
