// Stand-ins for builtins that components cannot have. Packages can import them; calling a function throws the reason.
import EventEmitter from 'events/events.js';
import { unavailableBuiltins } from '../../../../domain/component/modules/builtins.ts';
import { MessageChannel, MessagePort } from '../web/messages.ts';
import { URL } from '../web/url.ts';
import { Socket } from './http/socket.ts';

type Fields = Readonly<Record<string, unknown>>;

const unavailableError = (text: string): Error => Object.assign(new Error(text), { code: 'ERR_NOT_AVAILABLE' });

/** Names that interop code looks up and that must be absent. */
const absentNames = new Set<PropertyKey>(['__esModule', 'then', 'default', 'prototype', 'toJSON']);

/** The functions used most, by builtin: a namespace (`import * as net`) has only the names that its module lists. */
const functionNames: Readonly<Record<string, string>> = {
  child_process: 'exec execFile execFileSync execSync fork spawn spawnSync',
  dgram: 'createSocket',
  dns: 'lookup resolve resolve4 resolve6 resolveCname resolveMx resolveSrv resolveTxt reverse',
  'dns/promises': 'lookup resolve resolve4 resolve6 resolveCname resolveMx resolveSrv resolveTxt reverse',
  http2: 'connect createSecureServer createServer',
  net: 'Server connect createConnection createServer',
  tls: 'connect createSecureContext createServer',
  vm: 'Script createContext runInContext runInNewContext runInThisContext',
  worker_threads: 'Worker',
};

function standIn(name: string, reason: string, fields: Fields = {}): object {
  const values = new Map<PropertyKey, unknown>(Object.entries(fields));
  const get = (_target: object, field: PropertyKey): unknown => {
    if (typeof field === 'symbol' || absentNames.has(field)) return undefined;
    if (values.has(field)) return values.get(field);
    const use = function (): never {
      throw unavailableError(`${name}.${String(field)} is not available to components: ${reason}`);
    };
    values.set(field, use);
    return use;
  };
  // Values that a package sets are kept, because some packages wrap the functions of a builtin.
  const set = (_target: object, field: PropertyKey, value: unknown): boolean => Boolean(values.set(field, value));
  const names = [...Object.keys(fields), ...(functionNames[name]?.split(' ') ?? [])];
  return new Proxy(Object.fromEntries(names.map((field) => [field, undefined])), { get, set });
}

const isIPv4 = (text: unknown): boolean => {
  const parts = String(text).split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
};

function isIPv6(text: unknown): boolean {
  const withoutZone = String(text).replace(/%[0-9a-z.:-]+$/i, '');
  if (!withoutZone.includes(':') || /[^0-9a-f:.]/i.test(withoutZone)) return false;
  try {
    return new URL(`http://[${withoutZone}]/`).hostname.startsWith('[');
  } catch {
    return false;
  }
}

/** A socket that never connects: agents that count connections create one (`agent-base`, and with it `proxy-agent`). */
const idleSocket = (reason: string): unknown =>
  class extends Socket {
    constructor() {
      super(() => {});
    }
    connect(): never {
      throw unavailableError(`net.Socket.connect is not available to components: ${reason}`);
    }
  };

/** An HTTP/2 client reads `_handle._parentWrap` of one while it loads. */
class TLSSocket extends EventEmitter {
  readonly _handle = { _parentWrap: new (class JSStreamSocket {})() };
}

/** Fields of these builtins that need no access to the machine. */
function fieldsOf(name: string, reason: string): Fields {
  switch (name) {
    case 'net':
      return {
        Socket: idleSocket(reason),
        isIPv4,
        isIPv6,
        isIP: (text: unknown) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0),
      };
    case 'tls':
      return { TLSSocket, rootCertificates: [], DEFAULT_MIN_VERSION: 'TLSv1.2', DEFAULT_MAX_VERSION: 'TLSv1.3' };
    case 'dns':
      return { ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8, promises: standIn('dns.promises', reason) };
    case 'http2':
      return { constants: {}, sensitiveHeaders: Symbol('nodejs.http2.sensitiveHeaders') };
    case 'worker_threads':
      return {
        MessageChannel,
        MessagePort,
        isMainThread: true,
        parentPort: null,
        workerData: null,
        threadId: 0,
        resourceLimits: {},
        markAsUncloneable: () => {},
        markAsUntransferable: () => {},
        isMarkedAsUntransferable: () => false,
      };
    case 'cluster':
      return { isMaster: true, isPrimary: true, isWorker: false, worker: undefined, workers: {}, settings: {} };
    case 'vm':
    case 'v8':
      return { constants: {}, isContext: () => false };
    default:
      return {};
  }
}

/** By the builtin's name, without `node:`. */
export const standIns: ReadonlyMap<string, object> = new Map(
  Object.entries(unavailableBuiltins).map(([name, reason]) => [name, standIn(name, reason, fieldsOf(name, reason))]),
);
