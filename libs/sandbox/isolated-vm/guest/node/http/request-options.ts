// Reads the many forms of arguments that Node's http accepts, and builds the request's target.
import { Buffer } from '../../encoding/buffer.ts';
import { URL } from '../../web/url.ts';
import type { AbortSignal } from '../../web/event-target.ts';

export interface RequestOptions {
  readonly protocol?: string | null;
  readonly hostname?: string | null;
  readonly host?: string | null;
  readonly port?: string | number | null;
  readonly defaultPort?: string | number | null;
  readonly path?: string | null;
  readonly method?: string;
  readonly auth?: string | null;
  readonly headers?: object;
  readonly agent?: (Partial<RequestAgent> & { readonly protocol?: string }) | boolean | null;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly socketPath?: string | null;
}

export type Callback = (response: unknown) => void;

export interface RequestAgent {
  /** Creates a connection for the request, and passes it to the request's `onSocket`. */
  addRequest(request: unknown, options: object): void;
}

function optionsOf(url: InstanceType<typeof URL>): RequestOptions {
  const { protocol, hostname, port, pathname, search, username, password } = url;
  const auth = username || password ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : null;
  return { protocol, hostname, port, path: `${pathname}${search}`, auth };
}

const isUrl = (value: unknown): value is InstanceType<typeof URL> => value instanceof URL;

/** Arguments: `url, options, callback`; the url or the options can be left out. */
export function parseArguments(args: readonly unknown[]): {
  readonly options: RequestOptions;
  readonly callback?: Callback;
} {
  const [first, ...rest] = args;
  const target = typeof first === 'string' ? optionsOf(new URL(first)) : isUrl(first) ? optionsOf(first) : undefined;
  const [more, last] = target === undefined ? [first, rest[0]] : typeof rest[0] === 'function' ? [{}, rest[0]] : rest;
  const options = { ...target, ...(more as RequestOptions | undefined) };
  // As in Node, registering the listener throws if the callback is no function.
  return last ? { options, callback: last as Callback } : { options };
}

const codedTypeError = (code: string, message: string): Error => Object.assign(new TypeError(message), { code });

export interface Target {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
  /** The server's origin, with a slash. */
  readonly url: string;
  /** The request target, unchanged: a path from the root, or a whole URL, as for a proxy. */
  readonly path: string;
}

/** `host` can contain the port too, as in results of url.parse. */
export function targetOf(options: RequestOptions, defaultProtocol: string): Target {
  const { hostname, host, port, defaultPort, path, socketPath } = options;
  if (socketPath) throw codedTypeError('ERR_NOT_AVAILABLE', 'Sockets of the machine are not available to components');
  const protocol = options.protocol ?? defaultProtocol;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw codedTypeError('ERR_INVALID_PROTOCOL', `Protocol "${protocol}" not supported. Expected "${defaultProtocol}"`);
  const name = hostname ?? host ?? 'localhost';
  const bracketed = name.includes(':') && !name.startsWith('[') && name.split(':').length > 2 ? `[${name}]` : name;
  const requestPath = path ?? '/';
  if (/[^\x21-\xff]/.test(requestPath))
    throw codedTypeError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');
  const base = new URL(`${protocol}//${bracketed}`);
  const requestedPort = port ?? defaultPort;
  if (requestedPort !== undefined && requestedPort !== null && requestedPort !== '') base.port = String(requestedPort);
  const isCompleteTarget = /^(?:\/|https?:\/\/)/.test(requestPath);
  return {
    protocol,
    host: base.hostname,
    port: Number(base.port || (protocol === 'https:' ? 443 : 80)),
    url: `${base.origin}/`,
    path: isCompleteTarget ? requestPath : `/${requestPath}`,
  };
}

export const basicAuth = (auth: string): string => `Basic ${Buffer.from(auth).toString('base64')}`;
