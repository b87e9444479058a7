// How much a page of a list holds: one of large records ends before its limit, so that no answer takes much memory.

/** Of records as JSON, in bytes. The record with which a page reaches it is its last one. */
export const pageBytesMax = 4 * 1024 * 1024;
/** Records of the first read, when their sizes are not known: as many as most pages have. */
const firstAtOnce = 10;
/** Records of any later read at most: they may be larger than those before. */
const atOnceMax = 30;

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

  /** How many records to read next when `wanted` are missing: no more than fit if they are as large as those so far. */
  next(wanted: number): number {
    if (this.#records === 0) return Math.min(wanted, firstAtOnce);
    const each = Math.max(1, this.#bytes / this.#records);
    const fitting = Math.max(1, Math.ceil((pageBytesMax - this.#bytes) / each));
    return Math.min(wanted, atOnceMax, fitting);
  }
}
