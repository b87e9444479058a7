// undici's dispatchers. Those that only keep connections have no effect here, because the service keeps its own.
import { composed, globalDispatcher, setGlobalDispatcher } from './composing.ts';
import { interceptors } from './interceptors.ts';
import type { RetryOptions } from './retrying.ts';
import { InvalidArgumentError, NotSupportedError } from './undici-errors.ts';
import { request, stream } from './request.ts';
import type { Answer, RequestOptions } from './request.ts';

export class Dispatcher {
  readonly closed = false;
  readonly destroyed = false;

  compose(...interceptors: unknown[]): this {
    return composed(this, interceptors);
  }
  async close(): Promise<void> {}
  async destroy(): Promise<void> {}
  dispatch(): never {
    throw new NotSupportedError('A dispatcher only keeps options in components: use fetch or request');
  }
  on(): this {
    return this;
  }
  once(): this {
    return this;
  }
  off(): this {
    return this;
  }
}

interface ToPath extends RequestOptions {
  readonly path: string;
  readonly origin?: string | URL;
}

const absolute = ({ origin, path }: ToPath, own?: string): URL => {
  const base = origin ?? own;
  if (base === undefined) throw new InvalidArgumentError('origin is required');
  return new URL(path, base);
};

export class Agent extends Dispatcher {
  request(options: ToPath): Promise<Answer> {
    return request(absolute(options), { ...options, dispatcher: this });
  }
}

export class RetryAgent extends Agent {
  constructor(_agent?: unknown, options?: RetryOptions) {
    super();
    Object.assign(this, composed(this, [interceptors.retry(options)]));
  }
}

/** A dispatcher for one origin. */
export class Client extends Dispatcher {
  readonly origin: string;

  constructor(origin: string | URL) {
    super();
    this.origin = String(origin);
  }
  request(options: ToPath): Promise<Answer> {
    return request(absolute(options, this.origin), { ...options, dispatcher: this });
  }
  stream(options: ToPath, factory: Parameters<typeof stream>[2]): Promise<object> {
    return stream(absolute(options, this.origin), { ...options, dispatcher: this }, factory);
  }
}

export class Pool extends Client {}

setGlobalDispatcher(new Agent());
export { globalDispatcher as getGlobalDispatcher, setGlobalDispatcher };

/** A dispatcher that would redirect or answer requests throws, because it must not be ignored. */
const refused = (name: string, advice: string): typeof Dispatcher =>
  class extends Dispatcher {
    constructor() {
      super();
      throw new NotSupportedError(`undici's ${name} is not available to components: ${advice}`);
    }
  };

const proxied = 'requests leave through the proxy of the service, if it has one';
const tried = 'it is for tests';
const oneOrigin = 'use Pool or fetch';

export const ProxyAgent = refused('ProxyAgent', proxied);
export const Socks5ProxyAgent = refused('Socks5ProxyAgent', proxied);
export const BalancedPool = refused('BalancedPool', oneOrigin);
export const RoundRobinPool = refused('RoundRobinPool', oneOrigin);
export const H2CClient = refused('H2CClient', oneOrigin);
export const MockAgent = refused('MockAgent', tried);
export const MockClient = refused('MockClient', tried);
export const MockPool = refused('MockPool', tried);
export const SnapshotAgent = refused('SnapshotAgent', tried);
/** The same as Agent, because there are no environment variables with a proxy. */
export class EnvHttpProxyAgent extends Agent {}
