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
  readonly found: string;

  constructor(found: string) {
    super(`The proxy (EGRESS_PROXY) opens no connection: ${found}.`);
    this.name = 'ProxyRefusedError';
    this.found = found;
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

export interface TunnelTo {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: string;
}

type Done = (error: Error | null, socket: Socket | null) => void;

/** Passes `done` a socket connected to the target, within `timeoutMs`. No error names the proxy or its credentials. */
export function openTunnel(proxy: EgressProxy, target: TunnelTo, timeoutMs: number, done: Done): void {
  const socket = connect({ host: proxy.host, port: proxy.port, noDelay: true, keepAlive: true });
  let head = Buffer.alloc(0);
  let isReached = false;
  const timer = setTimeout(
    () => fail(isReached ? new ProxyRefusedError('it does not answer in time') : new ProxyUnreachableError()),
    timeoutMs,
  );

  function leave(): void {
    clearTimeout(timer);
    socket.off('connect', ask).off('data', take).off('end', ended).off('error', broken);
  }

  function fail(error: Error): void {
    leave();
    socket.on('error', () => {}).destroy();
    done(error, null);
  }

  function ask(): void {
    isReached = true;
    socket.write(requestTo(target, proxy));
  }

  function take(data: Buffer): void {
    head = Buffer.concat([head, data]);
    const end = head.indexOf(headEnd);
    if (end === -1 && head.length > headBytesMax) fail(new ProxyRefusedError('it does not answer as HTTP does'));
    if (end === -1) return;
    const status = Number(statusLine.exec(head.toString('latin1', 0, end))?.[1]);
    if (!(status >= 200 && status <= 299)) return fail(new ProxyRefusedError(refusalOf(status)));
    // A server never sends first in HTTP or TLS. A client that received these bytes before its request was sent would
    // close the connection and open the next one, endlessly.
    if (head.length > end + headEnd.length) return fail(new ProxyRefusedError(unasked));
    leave();
    // The receiver of the socket listens for its errors; until then it needs a listener.
    socket.on('error', () => {}).pause();
    done(null, socket);
  }

  const ended = (): void => fail(new ProxyRefusedError('it closed the connection'));
  const broken = (): void =>
    fail(isReached ? new ProxyRefusedError('it closed the connection') : new ProxyUnreachableError());
  socket.on('connect', ask).on('data', take).on('end', ended).on('error', broken);
}

function requestTo({ hostname, port }: TunnelTo, { authorization }: EgressProxy): string {
  const authority = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
  const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}

const unasked = 'more than its answer came before a request was sent';

const refusalOf = (status: number): string => {
  if (status === 407) return 'it does not take the credentials (407)';
  return Number.isNaN(status) ? 'it does not answer as HTTP does' : `it answers ${status}`;
};
