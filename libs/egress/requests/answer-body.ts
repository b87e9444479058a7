// Reads a response body part by part on demand, and counts its bytes against their bounds.
import type { Readable } from 'node:stream';
import { bufferedBytesMax } from './decode.ts';

export interface Part {
  readonly bytes: Buffer;
  /** Whether no part follows. */
  readonly isLast: boolean;
}

export class AnswerBody {
  readonly #stream: Readable;
  readonly #count: (bytes: number) => void;
  readonly #failure = Promise.withResolvers<unknown>();

  /** `count` is called with the number of all bytes as they are read, and throws when there are too many. */
  constructor(stream: Readable, count: (bytes: number) => void) {
    this.#stream = stream;
    this.#count = count;
    stream.on('error', this.#failure.resolve);
  }

  /** Resolves with the error when the body breaks off, whether or not it is being read. */
  get failure(): Promise<unknown> {
    return this.#failure.promise;
  }

  /** Resolves with at least a byte, or the end. Rejects when the body breaks off. */
  async next(): Promise<Part> {
    return await this.#readUntil(undefined);
  }

  /**
   * Resolves with what arrives within `patienceMs`: all of a small body, or maybe nothing yet. If the body breaks off,
   * `failure` and `next` report it: the head is valid whatever happens to the body.
   */
  async begin(patienceMs: number): Promise<Part> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), patienceMs);
    const parts: Buffer[] = [];
    let bytes = 0;
    let isLast = false;
    while (!isLast && bytes < bufferedBytesMax && !patience.signal.aborted) {
      const part = await this.#readUntil(patience.signal).catch((error: unknown) => {
        if (this.#stream.errored === null) throw error;
        return undefined;
      });
      if (part === undefined) break;
      parts.push(part.bytes);
      bytes += part.bytes.length;
      isLast = part.isLast;
    }
    clearTimeout(timer);
    return { bytes: Buffer.concat(parts), isLast };
  }

  async #readUntil(patience: AbortSignal | undefined): Promise<Part> {
    const stream = this.#stream;
    for (;;) {
      if (stream.errored !== null) throw stream.errored;
      const chunk = stream.read() as Buffer | null;
      if (chunk !== null) {
        this.#count(chunk.length);
        return { bytes: chunk, isLast: stream.readableEnded };
      }
      if (stream.readableEnded) return { bytes: Buffer.alloc(0), isLast: true };
      if (stream.destroyed) throw Object.assign(new Error('closed'), { code: 'ECONNRESET' });
      if (patience?.aborted === true) return { bytes: Buffer.alloc(0), isLast: false };
      await waitForChange(stream, patience);
    }
  }
}

/** Resolves when data has arrived, the stream has ended, or `patience` is aborted. */
function waitForChange(stream: Readable, patience: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = ['readable', 'end', 'error', 'close'];
  for (const event of events) stream.on(event, resolve);
  patience?.addEventListener('abort', () => resolve());
  return promise.finally(() => {
    for (const event of events) stream.off(event, resolve);
  });
}
