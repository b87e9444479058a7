// process.stdout, stderr and stdin as streams, for piping; separate because process is created before the streams.
import { Readable, Writable } from 'readable-stream';
import type { Output } from './output.ts';

type Defer = (callback: () => void) => void;

class OutputStream extends Writable {
  readonly isTTY = false;
  readonly columns = 80;
  readonly fd: number;
  readonly #output: Output;
  readonly #defer: Defer;

  constructor(output: Output, defer: Defer) {
    // Text is printed at once, so writers never have to wait.
    super({ highWaterMark: Number.MAX_SAFE_INTEGER, autoDestroy: false });
    this.fd = output.fd;
    this.#output = output;
    this.#defer = defer;
  }
  override _write(chunk: unknown, _encoding: unknown, done: () => void): void {
    this.#output.write(chunk);
    done();
  }
  /** The stream stays open, also for later writers. */
  override end(...args: readonly unknown[]): this {
    const [data, ...rest] = args;
    const done = args.findLast((arg) => typeof arg === 'function') as (() => void) | undefined;
    if (typeof data === 'string' || ArrayBuffer.isView(data)) this.write(data, ...(rest as []));
    else if (done !== undefined) this.#defer(done);
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

/** stdin: always empty. */
class InputStream extends Readable {
  readonly fd = 0;
  readonly isTTY = false;
  override _read(): void {
    this.push(null);
  }
}

/** `defer` calls a callback in a later turn, as a stream does when there was nothing to write. */
export const standardStreams = (
  outputs: { readonly stdout: Output; readonly stderr: Output },
  defer: Defer,
): object => ({
  stdout: new OutputStream(outputs.stdout, defer),
  stderr: new OutputStream(outputs.stderr, defer),
  stdin: new InputStream(),
});
