// require: returns Node's builtins, with and without `node:`, and throws for everything else.
import {
  availableBuiltins,
  unavailableBuiltins,
  type AvailableBuiltin,
} from '../../../../domain/component/modules/builtins.ts';
import assert from 'assert/build/assert.js';
import punycode from 'punycode/punycode.js';
import { Stream } from 'readable-stream';
import { crypto } from '../crypto/crypto.ts';
import { mapGet, mapSet, toText } from '../core/primordials.ts';
import { Blob, File } from '../fetch/blob.ts';
import { restoreExportedNames } from '../globals/function-names.ts';
import { streams } from '../fetch/streams.ts';
import { atob, btoa } from '../encoding/base64.ts';
import { querystring } from '../web/querystring.ts';
import { url } from '../web/url.ts';
import { asyncHooks } from './async-hooks.ts';
import * as buffer from '../encoding/buffer.ts';
import { StringDecoder } from '../encoding/string-decoder.ts';
import { diagnosticsChannel } from './diagnostics-channel.ts';
import { events } from './events.ts';
import { fs, promises } from './fs/fs.ts';
import { http, https } from './http/http.ts';
import { posix, win32 } from './path/path.ts';
import { nextTick, process, stderr, stdout } from './process.ts';
import { readline, readlinePromises } from './readline.ts';
import { console, os, perfHooks, timers, tty } from './small-builtins.ts';
import { standIns } from './stand-ins.ts';
import { standardStreams } from './standard/streams.ts';
import { consumers } from './stream-consumers.ts';
import { types, util } from './util/util.ts';
import { addWebAdapters } from './web-adapters.ts';
import { zlib } from './zlib/zlib.ts';

const modules = new Map<string, unknown>();
const register = (name: string, value: unknown): void => mapSet(modules, name, value);

/** As in Node, node:module is a function with its functions as fields. */
const nodeModule = Object.assign(function Module() {}, {
  createRequire: () => require,
  builtinModules: [...availableBuiltins, ...Object.keys(unavailableBuiltins)],
  isBuiltin: (name: unknown) => mapGet(modules, bareName(toText(name))) !== undefined,
  _extensions: {},
  _cache: {},
});

function registerAll(): void {
  const strict = (assert as { strict?: unknown }).strict ?? assert;
  const available: Readonly<Record<AvailableBuiltin, unknown>> = {
    assert,
    'assert/strict': strict,
    async_hooks: asyncHooks,
    buffer: { ...buffer, atob, btoa, Blob, File },
    console,
    constants: { ...fs.constants, ...crypto.constants },
    crypto,
    diagnostics_channel: diagnosticsChannel,
    events,
    fs,
    'fs/promises': promises,
    http,
    https,
    module: nodeModule,
    os,
    path: posix,
    'path/posix': posix,
    'path/win32': win32,
    perf_hooks: perfHooks,
    process,
    punycode,
    readline,
    'readline/promises': readlinePromises,
    querystring,
    // As in Node, the legacy Stream class with the others as fields; packages call it as constructor of own streams.
    stream: Stream,
    'stream/consumers': consumers,
    'stream/promises': (Stream as unknown as { readonly promises: object }).promises,
    'stream/web': streams,
    string_decoder: { StringDecoder },
    sys: util,
    timers,
    'timers/promises': timers.promises,
    tty,
    url,
    util,
    'util/types': types,
    zlib,
  };
  for (const [name, value] of Object.entries(available)) {
    // Each module is an object or a function with fields.
    restoreExportedNames(value as object);
    register(name, value);
  }
  for (const [name, value] of standIns) register(name, value);
}

addWebAdapters();
registerAll();

function bareName(name: string): string {
  return name.startsWith('node:') ? name.slice(5) : name;
}

export function require(name: unknown): unknown {
  const requested = toText(name);
  return mapGet(modules, bareName(requested)) ?? notFound(requested);
}

const isNativeName = /\.node$|[-./](?:linux|darwin|win32)/;
let firstNative: string | undefined;

/** The name of the first module with native code that was required, in vain. */
export const requestedNativeModule = (): string | undefined => firstNative;

function notFound(requested: string): never {
  if (isNativeName.test(requested)) firstNative ??= requested;
  throw Object.assign(new Error(`Cannot find module '${requested}': it is not in the component's bundle`), {
    code: 'MODULE_NOT_FOUND',
  });
}

/** require.resolve: throws for all but builtins, because there are no files of packages. */
const resolve = (name: unknown): string => {
  const requested = toText(name);
  return mapGet(modules, bareName(requested)) === undefined ? notFound(requested) : requested;
};
Object.assign(require, { resolve: Object.assign(resolve, { paths: () => null }), cache: {} });

Object.assign(process, standardStreams({ stdout, stderr }, nextTick), {
  getBuiltinModule: (name: unknown): unknown => mapGet(modules, bareName(toText(name))),
});
