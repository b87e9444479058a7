// What all clients together have still to read. Bytes that were written to many of them are kept once.

/** With every other stream at its own bound this would be gigabytes. */
const unreadBytesMax = 128 * 1024 * 1024;

export interface Reader {
  readonly unreadBytes: number;
  /** Lets go of all that was held for it. */
  disconnect(): void;
}

export class Unread {
  readonly #max: number;
  readonly #readers = new Map<Reader, number>();
  readonly #holds = new Map<Buffer, number>();
  #bytes = 0;

  constructor(max = unreadBytesMax) {
    this.#max = max;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Gives what is to be called once, when the reader has taken them or is gone. */
  hold(reader: Reader, bytes: Buffer): () => void {
    const holds = this.#holds.get(bytes) ?? 0;
    if (holds === 0) this.#bytes += bytes.length;
    this.#holds.set(bytes, holds + 1);
    this.#readers.set(reader, (this.#readers.get(reader) ?? 0) + 1);
    return () => this.#release(reader, bytes);
  }

  /** Disconnects those that are furthest behind until what is left is within bounds. */
  bound(): void {
    if (this.#bytes <= this.#max) return;
    const readers = [...this.#readers.keys()].map((reader) => ({ reader, behind: reader.unreadBytes }));
    for (const { reader } of readers.toSorted((a, b) => b.behind - a.behind)) {
      if (this.#bytes <= this.#max) return;
      reader.disconnect();
    }
  }

  #release(reader: Reader, bytes: Buffer): void {
    const left = (this.#readers.get(reader) ?? 1) - 1;
    if (left > 0) this.#readers.set(reader, left);
    else this.#readers.delete(reader);
    const holds = (this.#holds.get(bytes) ?? 1) - 1;
    if (holds > 0) {
      this.#holds.set(bytes, holds);
      return;
    }
    this.#holds.delete(bytes);
    this.#bytes -= bytes.length;
  }
}
