// The bytes of one file, in blocks: it grows without being copied, and parts never written take no memory.

const blockBytes = 64 * 1024;
/** The first size of a block, which then doubles up to a full block. */
const firstBlockBytes = 256;

export class Content {
  #size = 0;
  #blocks: (Uint8Array | undefined)[] = [];

  get size(): number {
    return this.#size;
  }

  /** Copies into the target; returns the number of bytes. */
  read(target: Uint8Array, position: number): number {
    const end = Math.min(this.#size, position + target.length);
    let at = position;
    while (at < end) {
      const from = at % blockBytes;
      const length = Math.min(blockBytes - from, end - at);
      const targetPart = target.subarray(at - position, at - position + length);
      const blockPart = this.#blocks[Math.floor(at / blockBytes)]?.subarray(from, from + length);
      targetPart.fill(0, blockPart?.length ?? 0);
      if (blockPart !== undefined) targetPart.set(blockPart);
      at += length;
    }
    return Math.max(0, end - position);
  }

  write(bytes: Uint8Array, position: number): void {
    let at = position;
    const end = position + bytes.length;
    while (at < end) {
      const from = at % blockBytes;
      const length = Math.min(blockBytes - from, end - at);
      this.#ensureBlock(Math.floor(at / blockBytes), from + length).set(
        bytes.subarray(at - position, at - position + length),
        from,
      );
      at += length;
    }
    this.#size = Math.max(this.#size, end);
  }

  /** Bytes that are cut off read as zero if the file grows again. */
  resize(size: number): void {
    if (size < this.#size) {
      this.#blocks.length = Math.ceil(size / blockBytes);
      const last = this.#blocks.at(-1);
      if (last !== undefined && size % blockBytes !== 0) last.fill(0, size % blockBytes);
    }
    this.#size = size;
  }

  copy(): Content {
    const copy = new Content();
    copy.#size = this.#size;
    copy.#blocks = this.#blocks.map((block) => block?.slice());
    return copy;
  }

  #ensureBlock(index: number, needed: number): Uint8Array {
    const existing = this.#blocks[index];
    if (existing !== undefined && existing.length >= needed) return existing;
    const doubled = Math.max(firstBlockBytes, (existing?.length ?? 0) * 2);
    const grown = new Uint8Array(Math.min(blockBytes, Math.max(needed, doubled)));
    if (existing !== undefined) grown.set(existing);
    // Earlier blocks that were never written stay undefined.
    while (this.#blocks.length < index) this.#blocks.push(undefined);
    this.#blocks[index] = grown;
    return grown;
  }
}
