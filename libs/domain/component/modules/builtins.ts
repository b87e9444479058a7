// Node's builtin modules: the ones that components can load, and the reasons why not the others.

/** The modules that the isolate has, without `node:`. */
export const availableBuiltins = [
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'console',
  'constants',
  'crypto',
  'diagnostics_channel',
  'events',
  'fs',
  'fs/promises',
  'http',
  'https',
  'module',
  'os',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'readline',
  'readline/promises',
  'stream',
  'stream/consumers',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'sys',
  'timers',
  'timers/promises',
  'tty',
  'url',
  'util',
  'util/types',
  'zlib',
] as const;

export type AvailableBuiltin = (typeof availableBuiltins)[number];

const noSockets = 'they have HTTP, and no sockets';
const isolated = 'they run isolated from the machine';

/**
 * The missing modules, each with the reason. Many packages import one without using it, so `require` returns a stand-in
 * that throws when it is used; the bundler judges whether a package can do without one.
 */
export const unavailableBuiltins: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['dgram', 'dns', 'dns/promises', 'http2', 'net', 'tls'].map((name) => [name, noSockets])),
  ...Object.fromEntries(
    [
      'child_process',
      'cluster',
      'domain',
      'inspector',
      'inspector/promises',
      'repl',
      'sea',
      'sqlite',
      'test',
      'test/reporters',
      'trace_events',
      'v8',
      'vm',
      'wasi',
      'worker_threads',
    ].map((name) => [name, isolated]),
  ),
};
