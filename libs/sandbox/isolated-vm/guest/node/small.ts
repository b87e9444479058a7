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
