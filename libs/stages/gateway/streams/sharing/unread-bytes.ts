// Bounds the bytes that all clients together still have to read. Bytes that were written to many clients count once.

/** If every stream reached its own bound, this would be gigabytes. */
const unreadBytesMax = 128 * 1024 * 1024;

export interface StreamReader {
  readonly unreadBytes: number;
  /** Also releases all bytes held for the client. */
  disconnect(): void;
}

export class UnreadBytes {
  readonly #max: number;
  readonly #readers = new Map<StreamReader, number>();
  readonly #holdCounts = new Map<Buffer, number>();
  #bytes = 0;

  constructor(max = unreadBytesMax) {
    this.#max = max;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a function to call once, when the reader has received the bytes or is gone. */
  hold(reader: StreamReader, bytes: Buffer): () => void {
    const holds = this.#holdCounts.get(bytes) ?? 0;
    if (holds === 0) this.#bytes += bytes.length;
    this.#holdCounts.set(bytes, holds + 1);
    this.#readers.set(reader, (this.#readers.get(reader) ?? 0) + 1);
    return () => this.#release(reader, bytes);
  }

  /** Disconnects the readers that are furthest behind until the rest is within the bound. */
  enforceLimit(): void {
    if (this.#bytes <= this.#max) return;
    const readers = [...this.#readers.keys()].map((reader) => ({ reader, unreadBytes: reader.unreadBytes }));
    for (const { reader } of readers.toSorted((a, b) => b.unreadBytes - a.unreadBytes)) {
      if (this.#bytes <= this.#max) return;
      reader.disconnect();
    }
  }

  #release(reader: StreamReader, bytes: Buffer): void {
    const remaining = (this.#readers.get(reader) ?? 1) - 1;
    if (remaining > 0) this.#readers.set(reader, remaining);
    else this.#readers.delete(reader);
    const holds = (this.#holdCounts.get(bytes) ?? 1) - 1;
    if (holds > 0) {
      this.#holdCounts.set(bytes, holds);
      return;
    }
    this.#holdCounts.delete(bytes);
    this.#bytes -= bytes.length;
  }
}
