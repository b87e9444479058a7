// Connects through an HTTP proxy, with a tunnel for each connection, so that the proxy sees only the host and port.
import { connect, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';

/** The proxy of the operator's network. */
export interface EgressProxy {
  /** An address or a name, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The value of `proxy-authorization`, if the proxy asks for one. */
  readonly authorization?: string;
}

/** The most bytes of the head of the proxy's response: many times what proxies send. */
const headBytesMax = 16 * 1024;
const headEnd = '\r\n\r\n';
const statusLine = /^HTTP\/1\.[01] (\d{3})\b/;

/** The proxy was reached, but does not open a tunnel. */
export class ProxyRefusedError extends Error {
  readonly code = 'PROXY_REFUSED';
  /** The proxy's reaction, such as `it answers 502`. */
  readonly reaction: string;

  constructor(reaction: string) {
    super(`The proxy (EGRESS_PROXY) opens no connection: ${reaction}.`);
    this.name = 'ProxyRefusedError';
    this.reaction = reaction;
  }
}

/** The proxy itself could not be reached. */
export class ProxyUnreachableError extends Error {
  readonly code = 'PROXY_UNREACHABLE';

  constructor() {
    super('The proxy (EGRESS_PROXY) cannot be reached.');
    this.name = 'ProxyUnreachableError';
  }
}

export interface TunnelTarget {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: string;
}

type TunnelCallback = (error: Error | null, socket: Socket | null) => void;

/** Passes `done` a socket connected to the target, within `timeoutMs`. No error names the proxy or its credentials. */
export function openTunnel(proxy: EgressProxy, target: TunnelTarget, timeoutMs: number, done: TunnelCallback): void {
  const socket = connect({ host: proxy.host, port: proxy.port, noDelay: true, keepAlive: true });
  let head = Buffer.alloc(0);
  let isReached = false;
  const timer = setTimeout(
    () => fail(isReached ? new ProxyRefusedError('it does not answer in time') : new ProxyUnreachableError()),
    timeoutMs,
  );

  function removeListeners(): void {
    clearTimeout(timer);
    socket.off('connect', sendConnect).off('data', readHead).off('end', onEnd).off('error', onError);
  }

  function fail(error: Error): void {
    removeListeners();
    socket.on('error', () => {}).destroy();
    done(error, null);
  }

  function sendConnect(): void {
    isReached = true;
    socket.write(connectRequestOf(target, proxy));
  }

  function readHead(data: Buffer): void {
    head = Buffer.concat([head, data]);
    const end = head.indexOf(headEnd);
    if (end === -1 && head.length > headBytesMax) fail(new ProxyRefusedError('it does not answer as HTTP does'));
    if (end === -1) return;
    const status = Number(statusLine.exec(head.toString('latin1', 0, end))?.[1]);
    if (!(status >= 200 && status <= 299)) return fail(new ProxyRefusedError(refusalTextOf(status)));
    // A server never sends first in HTTP or TLS. A client that received these bytes before its request was sent would
    // close the connection and open the next one, endlessly.
    if (head.length > end + headEnd.length) return fail(new ProxyRefusedError(unexpectedBytes));
    removeListeners();
    // The receiver of the socket listens for its errors; until then it needs a listener.
    socket.on('error', () => {}).pause();
    done(null, socket);
  }

  const onEnd = (): void => fail(new ProxyRefusedError('it closed the connection'));
  const onError = (): void =>
    fail(isReached ? new ProxyRefusedError('it closed the connection') : new ProxyUnreachableError());
  socket.on('connect', sendConnect).on('data', readHead).on('end', onEnd).on('error', onError);
}

function connectRequestOf({ hostname, port }: TunnelTarget, { authorization }: EgressProxy): string {
  const authority = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
  const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}

const unexpectedBytes = 'more than its answer came before a request was sent';

const refusalTextOf = (status: number): string => {
  if (status === 407) return 'it does not take the credentials (407)';
  return Number.isNaN(status) ? 'it does not answer as HTTP does' : `it answers ${status}`;
};
