// Decides how many bytes to ask a broker for: the broker counts compressed bytes, but memory holds the unpacked ones.
import { limits } from '../kafka-limits.ts';

export interface FetchedSize {
  /** The bytes that its request asked for: another answer may have changed `bytes` since. */
  readonly requestedBytes: number;
  readonly unpackedBytes: number;
  /** Records were left out for their size. Any other answer may be far smaller than asked for. */
  readonly isFull: boolean;
}

export class FetchSize {
  #bytes: number = limits.fetchBytesFirst;

  /** For the next request, all its partitions together; the broker gives at least one batch of any size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Learns from an answer. One that is not full can only lower the size: it says nothing about a larger one. */
  adapt({ requestedBytes, unpackedBytes, isFull }: FetchedSize): void {
    const { fetchUnpackedBytes, fetchBytes, fetchBytesMin } = limits;
    const fittingBytes = Math.floor(requestedBytes * (fetchUnpackedBytes / unpackedBytes));
    if (fittingBytes < requestedBytes) this.#bytes = Math.max(fetchBytesMin, Math.min(this.#bytes, fittingBytes));
    else if (isFull && unpackedBytes >= requestedBytes)
      this.#bytes = Math.max(this.#bytes, Math.min(fetchBytes, fittingBytes, requestedBytes * 2));
  }
}
