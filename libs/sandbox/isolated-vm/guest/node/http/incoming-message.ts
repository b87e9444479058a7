// http.IncomingMessage: a response as a readable stream, with its status and headers.
import { Readable } from 'readable-stream';
import type { Writable } from 'readable-stream';
import type { ResponseHead, FetchExchange } from '../../fetch/exchange.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { nextTick } from '../process.ts';
import { connectionResetError } from './connection-reset-error.ts';
import type { Socket } from './socket.ts';

/** If one of these headers is repeated, the first value is used, as in Node. */
const singleValueHeaders = new Set(
  'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after server user-agent'.split(
    ' ',
  ),
);

type Fields = Record<string, string | string[]>;

/** Whether the service ended the response, not the server: by a limit or a timeout. */
const isServiceError = (error: unknown): error is Error =>
  /^(?:ERR_LIMIT|ETIMEDOUT)$/.test(String((error as { readonly code?: unknown } | null | undefined)?.code));

function mergeHeaders(fields: ResponseHead['headers']): Fields {
  const headers: Fields = {};
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const previous = headers[key];
    if (key === 'set-cookie') headers[key] = [...(Array.isArray(previous) ? previous : []), value];
    else if (previous === undefined) headers[key] = value;
    else if (!singleValueHeaders.has(key)) headers[key] = `${String(previous)}, ${value}`;
  }
  return headers;
}

export class IncomingMessage extends Readable {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly headers: Fields;
  readonly rawHeaders: string[];
  readonly trailers = {};
  readonly rawTrailers = [];
  readonly socket: Socket;
  readonly connection: Socket;
  complete = false;
  aborted = false;
  req: Writable | undefined;
  readonly #exchange: FetchExchange;

  constructor(head: ResponseHead, exchange: FetchExchange, socket: Socket, isEmpty: boolean) {
    super();
    this.socket = socket;
    this.connection = socket;
    this.statusCode = head.status;
    this.statusMessage = head.statusText;
    this.headers = mergeHeaders(head.headers);
    this.rawHeaders = head.headers.flat();
    this.#exchange = exchange;
    if (isEmpty) this.#finish();
  }

  get headersDistinct(): Record<string, string[]> {
    const distinct: Record<string, string[]> = {};
    for (let at = 0; at + 1 < this.rawHeaders.length; at += 2) {
      const key = String(this.rawHeaders[at]).toLowerCase();
      distinct[key] = [...(distinct[key] ?? []), String(this.rawHeaders[at + 1])];
    }
    return distinct;
  }

  setTimeout(ms: number, callback?: () => void): this {
    if (callback) this.on('timeout', callback);
    this.socket.setTimeout(ms);
    return this;
  }

  override _read(): void {
    if (this.complete) return;
    this.#exchange.read().then(
      (bytes) => {
        this.socket._unrefTimer();
        if (bytes === undefined) this.#finish();
        else this.push(Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength));
      },
      (error: unknown) => this.#fail(error),
    );
  }

  /**
   * As in Node, a request emits errors of its connection even after the response's head. Here it does so only if the
   * response has no listener: node-fetch 2, for example, would otherwise see an early end without the reason.
   */
  #fail(error: unknown): void {
    const { req } = this;
    if (isServiceError(error) && this.listenerCount('error') === 0 && req?.listenerCount('error'))
      req.emit('error', error);
    this.destroy(isServiceError(error) ? error : connectionResetError('aborted'));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.complete) {
      this.aborted = true;
      const emitAborted = (): void => void this.emit('aborted');
      // `aborted` follows a more precise error, because clients that listen to both keep the first.
      nextTick(isServiceError(error) ? () => nextTick(emitAborted) : emitAborted);
      this.#exchange.abort(error);
    }
    this.socket.setTimeout(0);
    // As in Node, without a listener on the response there is no error.
    done(this.listenerCount('error') > 0 ? error : null);
  }

  #finish(): void {
    this.complete = true;
    this.socket.setTimeout(0);
    this.push(null);
  }
}
