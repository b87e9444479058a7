// Collects the first bytes of leaf hashes: too few to prove anything, enough to tell which record was changed.
import { printBytes } from '../../verifier/export/file/format.ts';
import type { Digest } from '../../verifier/tree/hashes.ts';

const initialLeaves = 16;

export class LeafPrints {
  #bytes = Buffer.alloc(initialLeaves * printBytes);
  #length = 0;

  add(leaf: Digest): void {
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#length)]);
    leaf.copy(this.#bytes, this.#length, 0, printBytes);
    this.#length += printBytes;
  }

  get text(): string {
    return this.#bytes.toString('base64', 0, this.#length);
  }
}
