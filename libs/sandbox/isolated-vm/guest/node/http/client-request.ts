// http.ClientRequest: written as a stream, sent when the stream ends, answered by the event `response`.
import { Writable } from 'readable-stream';
import { currentCall } from '../../core/calls.ts';
import { LimitError, limits } from '../../core/guest-limits.ts';
import { concatBytes } from '../../fetch/blob.ts';
import { beginExchange } from '../../fetch/exchange.ts';
import type { ResponseHead, FetchExchange } from '../../fetch/exchange.ts';
import { Headers } from '../../fetch/headers.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { nextTick } from '../process.ts';
import { abortError } from '../../web/abort-error.ts';
import { IncomingMessage } from './incoming-message.ts';
import { basicAuth, parseArguments, targetOf } from './request-options.ts';
import type { RequestOptions, Target } from './request-options.ts';
import { connectionResetError } from './connection-reset-error.ts';
import { Socket } from './socket.ts';

type Value = string | number | readonly string[];

/** Stands for Node's parser, whose listener stays on the socket if a response was cut off; packages test for that. */
const parse = (): void => {};

const bodylessStatuses = new Set([204, 304]);

const agentSocketError = (): Error =>
  Object.assign(new Error('The agent gave a connection of its own: components have HTTP, and no sockets'), {
    code: 'ERR_NOT_AVAILABLE',
  });

const webSocketError = (): Error =>
  Object.assign(new Error('WebSockets are not available to components: they have HTTP, and no sockets'), {
    code: 'ERR_NOT_AVAILABLE',
  });

/** `headers`: an object, a list of pairs, or a list that alternates names and values. */
function fieldsOf(headers: object): readonly (readonly [string, Value])[] {
  if (!Array.isArray(headers)) return Object.entries(headers).filter(([, value]) => value !== undefined);
  if (Array.isArray(headers[0])) return headers as [string, Value][];
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[String(name), headers[at + 1] as Value] as const] : []));
}

export class ClientRequest extends Writable {
  readonly method: string;
  readonly protocol: string;
  readonly host: string;
  path: string;
  readonly agent: RequestOptions['agent'];
  readonly socket = new Socket((error) => void this.destroy(error));
  readonly connection = this.socket;
  readonly maxHeadersCount = null;
  reusedSocket = false;
  headersSent = false;
  aborted = false;
  finished = false;
  res: IncomingMessage | null = null;
  readonly #url: string;
  readonly #call = currentCall();
  readonly #fields = new Map<string, readonly [name: string, value: Value]>();
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;
  #exchange: FetchExchange | undefined;
  /** The response is over; as in Node, `destroy` has no effect any more. */
  #isResponseOver = false;
  /** The agent was asked for a connection and has not answered yet. */
  #isAwaitingSocket = false;
  #isConnected = false;
  #isContinued = false;
  #removeAbortListener = (): void => {};

  constructor(defaultProtocol: string, args: readonly unknown[]) {
    super({ autoDestroy: false, emitClose: true });
    const { options, callback } = parseArguments(args);
    this.method = String(options.method ?? 'GET').toUpperCase();
    const target = targetOf(options, defaultProtocol);
    ({ url: this.#url, protocol: this.protocol, host: this.host, path: this.path } = target);
    this.agent = options.agent;
    for (const [name, value] of fieldsOf(options.headers ?? {})) this.setHeader(name, value);
    if (options.auth && !this.hasHeader('authorization')) this.setHeader('Authorization', basicAuth(options.auth));
    if (callback) this.once('response', callback);
    this.socket.on('timeout', () => {
      this.emit('timeout');
      this.res?.emit('timeout');
    });
    if (options.timeout) this.setTimeout(options.timeout);
    const { signal } = options;
    const onAbort = (): void => void this.destroy(signal && abortError(signal));
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    this.#removeAbortListener = () => signal?.removeEventListener('abort', onAbort);
    this.socket.on('data', parse);
    this.#connect(options, target);
    this.flushHeaders();
  }

  setHeader(name: string, value: Value): this {
    if (this.headersSent)
      throw Object.assign(new Error('Cannot set headers after they are sent'), { code: 'ERR_HTTP_HEADERS_SENT' });
    const list = typeof value === 'object' ? value : [value];
    // Headers throws Node's errors for names and values that HTTP does not allow.
    const checked = new Headers();
    for (const one of list) checked.append(name, one);
    this.#fields.set(String(name).toLowerCase(), [String(name), value]);
    return this;
  }
  setHeaders(headers: Iterable<readonly [string, Value]>): this {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }
  appendHeader(name: string, value: Value): this {
    const previous = this.getHeader(name);
    const values = [previous ?? [], value].flat().map(String);
    return this.setHeader(name, previous === undefined ? value : values);
  }
  getHeader(name: string): Value | undefined {
    return this.#fields.get(String(name).toLowerCase())?.[1];
  }
  hasHeader(name: string): boolean {
    return this.#fields.has(String(name).toLowerCase());
  }
  removeHeader(name: string): void {
    this.#fields.delete(String(name).toLowerCase());
  }
  getHeaders(): Record<string, Value> {
    return Object.fromEntries([...this.#fields].map(([key, [, value]]) => [key, value]));
  }
  getHeaderNames(): string[] {
    return [...this.#fields.keys()];
  }
  getRawHeaderNames(): string[] {
    return [...this.#fields.values()].map(([name]) => name);
  }
  /** Emits `continue` for a request that waits for it, because the server receives head and body together. */
  flushHeaders(): void {
    if (this.#isContinued || !/^100-continue$/i.test(String(this.getHeader('expect')))) return;
    this.#isContinued = true;
    nextTick(() => void (this.destroyed || this.emit('continue')));
  }
  setNoDelay(): void {}
  setSocketKeepAlive(): void {}

  setTimeout(ms: number, callback?: () => void): this {
    if (callback) this.once('timeout', callback);
    this.socket.setTimeout(ms);
    return this;
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    nextTick(() => this.emit('abort'));
    this.destroy();
  }

  override destroy(error?: Error): this {
    return this.#isResponseOver ? this : super.destroy(error);
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error) => void): void {
    const part = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : new Uint8Array(chunk);
    this.#bytes += part.length;
    this.socket._unrefTimer();
    const { requestBodyBytes } = limits();
    if (this.#bytes > requestBodyBytes) {
      done(new LimitError(`The body has more than ${requestBodyBytes} bytes`));
      return;
    }
    this.#parts.push(part);
    done();
  }

  override _final(done: (error?: Error) => void): void {
    this.finished = true;
    done();
    this.#sendWhenReady();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    const { res } = this;
    if (res !== null) {
      done(error);
      // As in Node, the request's own error comes first, and the response emits one only if it has a listener.
      const hasErrorListener = (): boolean => !res.complete && res.listenerCount('error') > 0;
      nextTick(() => res.destroy(hasErrorListener() ? connectionResetError('aborted') : undefined));
      return;
    }
    // As in Node, a request without a connection cannot hang up, and its agent has already reported why.
    const cause = error ?? (this.#isAwaitingSocket ? null : connectionResetError('socket hang up'));
    this.#exchange?.abort(cause);
    done(cause);
  }

  #connect({ agent, ...options }: RequestOptions, { protocol, host, port, path }: Target): void {
    const { method, socket } = this;
    this.#isAwaitingSocket = true;
    if (typeof agent === 'object' && agent?.addRequest !== undefined)
      agent.addRequest(this, { ...options, agent, protocol, method, host, hostname: host, port, path });
    else this.onSocket(socket);
  }

  /** Called by the agent, which can only pass on the stand-in or fail, because the host makes the connection. */
  onSocket(socket: unknown, error?: Error | null): void {
    this.#isAwaitingSocket = false;
    nextTick(() => {
      if (this.destroyed) return;
      if (error || !(socket instanceof Socket)) return void this.destroy(error || agentSocketError());
      this.#isConnected = true;
      this.emit('socket', this.socket);
      this.#sendWhenReady();
    });
  }

  /** Called before the headers are sent; packages replace it to add some. */
  _implicitHeader(): void {}

  #sendWhenReady(): void {
    if (this.#isConnected && this.finished && !this.headersSent && !this.destroyed) void this.#send();
  }

  async #send(): Promise<void> {
    this._implicitHeader();
    if (this.destroyed) return;
    this.headersSent = true;
    // The host cannot send `upgrade`, without which the server would answer with a misleading error.
    if (/^websocket$/i.test(String(this.getHeader('upgrade')))) return void this.destroy(webSocketError());
    const headers = [...this.#fields.values()].flatMap(([name, value]) =>
      typeof value === 'object' ? value.map((one) => [name, String(one)] as const) : [[name, String(value)] as const],
    );
    const body = this.#bytes === 0 ? undefined : concatBytes(this.#parts);
    this.#parts.length = 0;
    try {
      const request = { method: this.method, url: this.#url, path: this.path, headers, body, redirect: 'manual' };
      this.#exchange = beginExchange(request, this.#call);
      this.socket._unrefTimer();
      this.#handleResponse(await this.#exchange.responseHead, this.#exchange);
    } catch (error) {
      if (!this.destroyed) this.destroy(error as Error);
    }
  }

  #handleResponse(head: ResponseHead, exchange: FetchExchange): void {
    this.socket._unrefTimer();
    const isEmpty = this.method === 'HEAD' || bodylessStatuses.has(head.status);
    const response = new IncomingMessage(head, exchange, this.socket, isEmpty);
    response.req = this;
    this.res = response;
    response.prependOnceListener('close', () => {
      if (response.complete) this.socket.removeListener('data', parse);
      this.#isResponseOver = true;
      this.#removeAbortListener();
      if (this.destroyed) return;
      this.socket.destroy();
      this.emit('close');
    });
    if (!this.emit('response', response)) response.resume();
  }
}
