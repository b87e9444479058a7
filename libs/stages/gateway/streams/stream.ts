// One open stream: what is written to its connection, and how far the client is behind with reading it.
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { goneComment, greeting, handshake } from './feed/frame.ts';
import type { Selection } from './feed/selection.ts';
import type { Reader, Unread } from './sharing/unread.ts';

/** A client that is further behind is disconnected: it goes on behind the last record that it has. */
export const behindBytesMax = 1024 * 1024;
/** One that takes nothing of what it has asked to be repeated for so long is disconnected as well. */
const drainMs = 10_000;

export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

export class Stream implements Reader {
  readonly selection: Selection;
  readonly #response: ServerResponse;
  readonly #unread: Unread;
  readonly #held = new Set<() => void>();
  readonly #closed = new AbortController();
  #begun = false;

  constructor(response: ServerResponse, selection: Selection, unread: Unread) {
    this.selection = selection;
    this.#response = response;
    this.#unread = unread;
    response.once('close', () => {
      this.#letGo();
      this.#closed.abort();
    });
    if (response.destroyed) this.#closed.abort();
    response.on('error', () => response.destroy());
  }

  get isOpen(): boolean {
    return !this.#closed.signal.aborted && !this.#response.destroyed && !this.#response.writableEnded;
  }

  get unreadBytes(): number {
    return this.#response.writableLength;
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
    if (this.unreadBytes > behindBytesMax) {
      this.disconnect();
      return;
    }
    if (typeof bytes === 'string') this.#response.write(bytes);
    else this.#writeHeld(bytes);
  }

  /** Resolves when the client has taken what was written, or is gone. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const signal = AbortSignal.any([this.closed, AbortSignal.timeout(drainMs)]);
    await once(this.#response, 'drain', { signal }).catch(() => this.disconnect());
  }

  beat(): void {
    this.write(handshake);
  }

  disconnect(): void {
    this.#response.destroy();
    this.#letGo();
  }

  /** After what was written. One that has not begun is refused by whoever begins it. */
  end(): void {
    if (this.#begun && this.isOpen) this.#response.end();
  }
  /** Held until the system has it. */
  #writeHeld(bytes: Buffer): void {
    const release = this.#unread.hold(this, bytes);
    this.#held.add(release);
    this.#response.write(bytes, () => {
      if (this.#held.delete(release)) release();
    });
    this.#unread.bound();
  }

  #letGo(): void {
    for (const release of this.#held) release();
    this.#held.clear();
  }
}
