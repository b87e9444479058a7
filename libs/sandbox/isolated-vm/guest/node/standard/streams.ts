// process.stdout, stderr and stdin as streams, into which others are piped; process itself is there before streams are.
import { Readable, Writable } from 'readable-stream';
import type { Output } from './output.ts';

type Later = (callback: () => void) => void;

class OutputStream extends Writable {
  readonly isTTY = false;
  readonly columns = 80;
  readonly fd: number;
  readonly #output: Output;
  readonly #later: Later;

  constructor(output: Output, later: Later) {
    // What is written is printed at once: nobody has to wait.
    super({ highWaterMark: Number.MAX_SAFE_INTEGER, autoDestroy: false });
    this.fd = output.fd;
    this.#output = output;
    this.#later = later;
  }
  override _write(chunk: unknown, _encoding: unknown, done: () => void): void {
    this.#output.write(chunk);
    done();
  }
  /** It stays open, also for those who come later. */
  override end(...args: readonly unknown[]): this {
    const [data, ...rest] = args;
    const done = args.findLast((arg) => typeof arg === 'function') as (() => void) | undefined;
    if (typeof data === 'string' || ArrayBuffer.isView(data)) this.write(data, ...(rest as []));
    else if (done !== undefined) this.#later(done);
    return this;
  }
  override destroy(): this {
    return this;
  }
  hasColors(): boolean {
    return false;
  }
  getColorDepth(): number {
    return 1;
  }
}

/** Nothing comes in. */
class InputStream extends Readable {
  readonly fd = 0;
  readonly isTTY = false;
  override _read(): void {
    this.push(null);
  }
}

/** `later` calls back, as a stream does when there was nothing to write. */
export const standardStreams = (
  outputs: { readonly stdout: Output; readonly stderr: Output },
  later: Later,
): object => ({
  stdout: new OutputStream(outputs.stdout, later),
  stderr: new OutputStream(outputs.stderr, later),
  stdin: new InputStream(),
});
