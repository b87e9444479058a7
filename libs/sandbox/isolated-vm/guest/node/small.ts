// Builtins of a few lines each, whose answers an isolate can only make up or leave empty.
import { console } from '../web/console.ts';
import { timerFunctions } from '../core/timers.ts';
import { performance } from '../web/performance.ts';
import { timerPromises } from './timer-promises.ts';

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
  devNull: '/dev/null',
  userInfo: () => ({ username: 'component', uid: 1000, gid: 1000, shell: null, homedir: '/tmp' }),
  constants: { signals: {}, errno: {} },
};

export const timers = { ...timerFunctions, promises: timerPromises };

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

/** Nothing is measured, so an observer never hears anything. */
class PerformanceObserver {
  static readonly supportedEntryTypes: readonly string[] = [];
  observe(): void {}
  disconnect(): void {}
  takeRecords(): readonly object[] {
    return [];
  }
}

export const perfHooks = {
  performance,
  PerformanceObserver,
  constants: {},
  eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
  timerify: <T>(act: T): T => act,
};

export const tty = { isatty: () => false, ReadStream: class ReadStream {}, WriteStream: class WriteStream {} };
export { console };
