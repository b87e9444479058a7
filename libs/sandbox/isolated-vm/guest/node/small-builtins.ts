// Builtins of a few lines each, whose results an isolate can only fake or leave empty.
import { console } from '../web/console.ts';
import { timerFunctions } from '../core/timers.ts';
import { performance, PerformanceEntry, PerformanceObserver } from '../web/performance.ts';
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
  cpus: () => [{ model: 'component', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  availableParallelism: () => 1,
  totalmem: () => 0,
  freemem: () => 0,
  loadavg: () => [0, 0, 0],
  uptime: () => 1,
  networkInterfaces: () => ({}),
  devNull: '/dev/null',
  userInfo: () => ({ username: 'component', uid: 1000, gid: 1000, shell: null, homedir: '/tmp' }),
  constants: { signals: { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }, errno: {}, priority: {} },
};

export const timers = { ...timerFunctions, promises: timerPromises };

export const perfHooks = {
  performance,
  PerformanceEntry,
  PerformanceObserver,
  constants: {},
  eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
  timerify: <T>(act: T): T => act,
};

export const tty = { isatty: () => false, ReadStream: class ReadStream {}, WriteStream: class WriteStream {} };
export { console };
