// process, as far as an isolate can offer it: one environment variable, nextTick, clocks, and output as console lines.
import EventEmitter from 'events/events.js';
import { console } from '../web/console.ts';
import { dateNow } from '../core/primordials.ts';
import { reportUncaught } from '../core/uncaught.ts';
import { createOutputs } from './standard/output.ts';

const throwUnavailable = (name: string): never => {
  throw Object.assign(new Error(`process.${name}() is not available to components`), { code: 'ERR_NOT_AVAILABLE' });
};

const hrtime = (earlier?: readonly [number, number]): [number, number] => {
  const now = dateNow();
  const seconds = Math.floor(now / 1000) - (earlier?.[0] ?? 0);
  const nanos = (now % 1000) * 1e6 - (earlier?.[1] ?? 0);
  return nanos < 0 ? [seconds - 1, nanos + 1e9] : [seconds, nanos];
};
hrtime.bigint = (): bigint => BigInt(dateNow()) * 1_000_000n;

function nextTick(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void {
  void Promise.resolve().then(() => {
    try {
      callback(...args);
    } catch (error) {
      reportUncaught(error);
    }
  });
}

export const { stdout, stderr } = createOutputs(nextTick);

const usage = { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 };
const memoryUsage = (): object => ({ ...usage });
memoryUsage.rss = (): number => 0;

export const process: Record<PropertyKey, unknown> = Object.assign(
  new EventEmitter() as unknown as Record<PropertyKey, unknown>,
  {
    title: 'component',
    browser: false,
    env: {} as Record<string, string>,
    argv: ['node', 'component.js'],
    argv0: 'node',
    execArgv: [],
    execPath: '/usr/bin/node',
    pid: 1,
    ppid: 0,
    platform: 'linux',
    arch: 'x64',
    version: 'v24.0.0',
    versions: { node: '24.0.0', v8: '13.6.0', uv: '1.50.0', openssl: '3.0.0' },
    release: { name: 'node' },
    config: { variables: {} },
    features: {},
    exitCode: undefined,
    stdout,
    stderr,
    stdin: { fd: 0, isTTY: false, on: () => {}, once: () => {}, resume: () => {}, pause: () => {} },
    cwd: () => '/',
    umask: () => 0o22,
    uptime: () => 1,
    getuid: () => 1000,
    geteuid: () => 1000,
    getgid: () => 1000,
    getegid: () => 1000,
    getgroups: () => [1000],
    constrainedMemory: () => 0,
    allowedNodeEnvironmentFlags: new Set(),
    report: { excludeNetwork: true, getReport: () => ({ header: {}, sharedObjects: [] }) },
    setUncaughtExceptionCaptureCallback: () => {},
    hasUncaughtExceptionCaptureCallback: () => false,
    ref: () => {},
    unref: () => {},
    cpuUsage: () => ({ user: 0, system: 0 }),
    memoryUsage,
    hrtime,
    nextTick,
    emitWarning: (warning: unknown) => console.warn(String(warning)),
    exit: () => throwUnavailable('exit'),
    abort: () => throwUnavailable('abort'),
    kill: () => throwUnavailable('kill'),
    chdir: () => throwUnavailable('chdir'),
    binding: () => throwUnavailable('binding'),
  },
);
Object.defineProperty(process, Symbol.toStringTag, { value: 'process' });

export default process;
export { nextTick };
