// One open stream: writes to its connection, and tracks how far behind its client is.
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { goneComment, greeting, handshake } from './frame.ts';
import type { FieldSelection } from './selection.ts';
import type { StreamReader, UnreadBytes } from './sharing/unread-bytes.ts';

/** A client that is further behind is disconnected, and can resume after the last record that it has. */
const unreadBytesMax = 1024 * 1024;
/** A client that catches up but reads nothing for this long is disconnected, too. */
const drainMs = 10_000;

export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

/** `Selection`: the selection that the stream shows. */
export class Stream<Selection = FieldSelection> implements StreamReader {
  readonly selection: Selection;
  readonly #response: ServerResponse;
  readonly #unread: UnreadBytes;
  readonly #releases = new Set<() => void>();
  readonly #closed = new AbortController();
  #hasBegun = false;

  constructor(response: ServerResponse, selection: Selection, unread: UnreadBytes) {
    this.selection = selection;
    this.#response = response;
    this.#unread = unread;
    response.once('close', () => {
      this.#releaseAll();
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

  /** Aborted when the connection ends. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  begin(headers: OutgoingHttpHeaders, isGone: boolean): void {
    this.#hasBegun = true;
    this.#response.shouldKeepAlive = false;
    this.#response.writeHead(200, { ...headers, ...streamHeaders });
    this.#response.write(isGone ? greeting + goneComment : greeting);
  }

  /** Writes nothing before the stream has begun. A client that is too far behind is disconnected instead. */
  write(bytes: Buffer | string): void {
    if (!this.#hasBegun || !this.isOpen) return;
    if (this.unreadBytes > unreadBytesMax) {
      this.disconnect();
      return;
    }
    if (typeof bytes === 'string') this.#response.write(bytes);
    else this.#writeCounted(bytes);
  }

  /** Resolves when the client has received all that was written, or is gone. */
  async waitForDrain(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const signal = AbortSignal.any([this.closed, AbortSignal.timeout(drainMs)]);
    await once(this.#response, 'drain', { signal }).catch(() => this.disconnect());
  }

  sendHeartbeat(): void {
    this.write(handshake);
  }

  disconnect(): void {
    this.#response.destroy();
    this.#releaseAll();
  }

  /** Ends after all that was written. Does nothing before `begin`: the code that opens the stream then refuses it. */
  end(): void {
    if (this.#hasBegun && this.isOpen) this.#response.end();
  }
  /** The bytes count as unread until the operating system has accepted them. */
  #writeCounted(bytes: Buffer): void {
    const release = this.#unread.hold(this, bytes);
    this.#releases.add(release);
    this.#response.write(bytes, () => {
      if (this.#releases.delete(release)) release();
    });
    this.#unread.enforceLimit();
  }

  #releaseAll(): void {
    for (const release of this.#releases) release();
    this.#releases.clear();
  }
}
