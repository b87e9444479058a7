// Builtins of a few lines each, whose answers an isolate can only make up or leave empty.
import { console } from '../web/console.ts';
import { timerFunctions, timerPromises } from '../core/timers.ts';

export const os = {
  EOL: '\n',
  platform: () => 'linux',
  type: () => 'Linux',
  release: () => '0.0.0',
  version: () => '',
  arch: () => 'x64',
  machine: () => 'x86_64',
  hostname: () => 'component',
  homedir: () => '/tmp',
  tmpdir: () => '/tmp',
  endianness: () => 'LE',
  cpus: () => [],
  availableParallelism: () => 1,
  totalmem: () => 0,
  freemem: () => 0,
  loadavg: () => [0, 0, 0],
  uptime: () => 1,
  networkInterfaces: () => ({}),
  userInfo: () => ({ username: 'component', uid: 1000, gid: 1000, shell: null, homedir: '/tmp' }),
  constants: { signals: {}, errno: {} },
};

export const timers = { ...timerFunctions, promises: timerPromises };

/** Correct while nothing awaits in between: V8 alone does not carry a store across continuations. */
class AsyncLocalStorage {
  #store: unknown;

  run(store: unknown, callback: (...args: unknown[]) => unknown, ...args: unknown[]): unknown {
    const before = this.#store;
    this.#store = store;
    try {
      return callback(...args);
    } finally {
      this.#store = before;
    }
  }
  exit(callback: (...args: unknown[]) => unknown, ...args: unknown[]): unknown {
    return this.run(undefined, callback, ...args);
  }
  getStore(): unknown {
    return this.#store;
  }
  enterWith(store: unknown): void {
    this.#store = store;
  }
  disable(): void {
    this.#store = undefined;
  }
}

class AsyncResource {
  readonly type: string;

  constructor(type: string) {
    this.type = type;
  }
  runInAsyncScope(callback: (...args: unknown[]) => unknown, self?: unknown, ...args: unknown[]): unknown {
    return callback.apply(self, args);
  }
  bind<F>(callback: F): F {
    return callback;
  }
  emitDestroy(): this {
    return this;
  }
}

export const asyncHooks = {
  AsyncLocalStorage,
  AsyncResource,
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  createHook: () => ({ enable: () => {}, disable: () => {} }),
};

const silentChannel = {
  hasSubscribers: false,
  publish: () => {},
  subscribe: () => {},
  unsubscribe: () => false,
};

export const diagnosticsChannel = {
  channel: () => silentChannel,
  hasSubscribers: () => false,
  subscribe: () => {},
  unsubscribe: () => false,
  tracingChannel: () => ({ ...silentChannel, traceSync: (run: () => unknown) => run() }),
};

export const tty = { isatty: () => false };
export { console };
