// undici's dispatchers. Those that only keep connections have no effect here, because the service keeps its own.
import { composeDispatcher, globalDispatcher, setGlobalDispatcher } from './compose.ts';
import { interceptors } from './interceptors.ts';
import type { RetryOptions } from './retry.ts';
import { InvalidArgumentError, NotSupportedError } from './undici-errors.ts';
import { request, stream } from './request.ts';
import type { UndiciResponse, RequestOptions } from './request.ts';

export class Dispatcher {
  readonly closed = false;
  readonly destroyed = false;

  compose(...interceptors: unknown[]): this {
    return composeDispatcher(this, interceptors);
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

interface PathRequestOptions extends RequestOptions {
  readonly path: string;
  readonly origin?: string | URL;
}

const urlOf = ({ origin, path }: PathRequestOptions, defaultOrigin?: string): URL => {
  const base = origin ?? defaultOrigin;
  if (base === undefined) throw new InvalidArgumentError('origin is required');
  return new URL(path, base);
};

export class Agent extends Dispatcher {
  request(options: PathRequestOptions): Promise<UndiciResponse> {
    return request(urlOf(options), { ...options, dispatcher: this });
  }
}

export class RetryAgent extends Agent {
  constructor(_agent?: unknown, options?: RetryOptions) {
    super();
    Object.assign(this, composeDispatcher(this, [interceptors.retry(options)]));
  }
}

/** A dispatcher for one origin. */
export class Client extends Dispatcher {
  readonly origin: string;

  constructor(origin: string | URL) {
    super();
    this.origin = String(origin);
  }
  request(options: PathRequestOptions): Promise<UndiciResponse> {
    return request(urlOf(options, this.origin), { ...options, dispatcher: this });
  }
  stream(options: PathRequestOptions, factory: Parameters<typeof stream>[2]): Promise<object> {
    return stream(urlOf(options, this.origin), { ...options, dispatcher: this }, factory);
  }
}

export class Pool extends Client {}

setGlobalDispatcher(new Agent());
export { globalDispatcher as getGlobalDispatcher, setGlobalDispatcher };

/** A dispatcher that would redirect or answer requests throws, because it must not be ignored. */
const unavailable = (name: string, advice: string): typeof Dispatcher =>
  class extends Dispatcher {
    constructor() {
      super();
      throw new NotSupportedError(`undici's ${name} is not available to components: ${advice}`);
    }
  };

const proxyAdvice = 'requests leave through the proxy of the service, if it has one';
const mockAdvice = 'it is for tests';
const singleOriginAdvice = 'use Pool or fetch';

export const ProxyAgent = unavailable('ProxyAgent', proxyAdvice);
export const Socks5ProxyAgent = unavailable('Socks5ProxyAgent', proxyAdvice);
export const BalancedPool = unavailable('BalancedPool', singleOriginAdvice);
export const RoundRobinPool = unavailable('RoundRobinPool', singleOriginAdvice);
export const H2CClient = unavailable('H2CClient', singleOriginAdvice);
export const MockAgent = unavailable('MockAgent', mockAdvice);
export const MockClient = unavailable('MockClient', mockAdvice);
export const MockPool = unavailable('MockPool', mockAdvice);
export const SnapshotAgent = unavailable('SnapshotAgent', mockAdvice);
/** The same as Agent, because there are no environment variables with a proxy. */
export class EnvHttpProxyAgent extends Agent {}
