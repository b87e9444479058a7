// One open stream: what is written to its connection, and how far the client is behind with reading it.
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { goneComment, greeting, handshake } from './feed/frame.ts';
import type { Selection } from './feed/selection.ts';

/** A client that is further behind is disconnected: it goes on behind the last record that it has. */
export const behindBytesMax = 1024 * 1024;
/** One that takes nothing of what it has asked to be repeated for so long is disconnected as well. */
const drainMs = 10_000;

export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

export class Stream {
  readonly selection: Selection;
  readonly #response: ServerResponse;
  readonly #closed = new AbortController();
  #begun = false;

  constructor(response: ServerResponse, selection: Selection) {
    this.selection = selection;
    this.#response = response;
    response.once('close', () => this.#closed.abort());
    if (response.destroyed) this.#closed.abort();
    response.on('error', () => response.destroy());
  }

  get isOpen(): boolean {
    return !this.#closed.signal.aborted && !this.#response.writableEnded;
  }

  /** Aborted when the connection is. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  begin(headers: OutgoingHttpHeaders, isGone: boolean): void {
    this.#begun = true;
    this.#response.shouldKeepAlive = false;
    this.#response.writeHead(200, { ...headers, ...streamHeaders });
    this.#response.write(isGone ? greeting + goneComment : greeting);
  }

  /** Disconnects a client that is too far behind instead. Nothing is written before it has begun. */
  write(bytes: Buffer | string): void {
    if (!this.#begun || !this.isOpen) return;
    if (this.#response.writableLength > behindBytesMax) this.#response.destroy();
    else this.#response.write(bytes);
  }

  /** Resolves when the client has taken it, or is gone. */
  async writeAndWait(bytes: Buffer): Promise<void> {
    this.write(bytes);
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const signal = AbortSignal.any([this.closed, AbortSignal.timeout(drainMs)]);
    await once(this.#response, 'drain', { signal }).catch(() => this.#response.destroy());
  }

  beat(): void {
    this.write(handshake);
  }

  /** After what was written. One that has not begun is refused by whoever begins it. */
  end(): void {
    if (this.#begun && this.isOpen) this.#response.end();
  }
}
