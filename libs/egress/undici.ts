// Imports only the used parts of undici: all of it takes half again as much memory and twice the load time in every
// runner.
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type {
  buildConnector as BuildConnector,
  Client as ClientOfUndici,
  Dispatcher,
  Pool as PoolOfUndici,
} from 'undici';

const require = createRequire(import.meta.url);

export type Pool = PoolOfUndici;
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof PoolOfUndici;
export const Client = require('undici/lib/dispatcher/client.js') as typeof ClientOfUndici;
export const buildConnector = require('undici/lib/core/connect.js') as typeof BuildConnector;

type Request = (options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>;
const { call } = Function.prototype;

/** The function that undici's index adds as a method to every dispatcher. */
export const request: (dispatcher: Dispatcher, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData> =
  call.bind(require('undici/lib/api/api-request.js') as Request);

type HeadersComplete = (status: number, ...rest: readonly unknown[]) => number;
interface SocketWithParser {
  [parser: symbol]: { onHeadersComplete: HeadersComplete } | null | undefined;
}
const { kParser } = require('undici/lib/core/symbols.js') as { readonly kParser: symbol };
/** An interim response that undici skips (RFC 2518). */
const processing = 102;

/**
 * Undici aborts a connection that receives an unrequested `100 Continue`, and has no option for it. A client has to
 * skip every interim response (RFC 9110, 15.2), so here undici receives one that it does skip. Call once
 * a client has the socket, which then has its parser.
 */
export function skipContinue(socket: Socket): void {
  const parser = (socket as unknown as SocketWithParser)[kParser];
  if (parser === undefined || parser === null) return;
  const complete: HeadersComplete = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, ...rest) => complete(status === 100 ? processing : status, ...rest);
}
