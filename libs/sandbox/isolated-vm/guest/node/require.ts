// require: Node's builtins, with and without `node:`; for everything else, an error that says so.
import assert from 'assert/build/assert.js';
import querystring from '@jspm/core/nodelibs/querystring';
import EventEmitter from 'events/events.js';
import path from 'path-browserify';
import punycode from 'punycode/punycode.js';
import stream from 'readable-stream';
import { StringDecoder } from 'string_decoder/lib/string_decoder.js';
import { crypto } from '../crypto/crypto.ts';
import { mapGet, mapSet, toText } from '../core/primordials.ts';
import { Blob, File } from '../fetch/blob.ts';
import { streams } from '../fetch/streams.ts';
import { atob, btoa, performance } from '../web/globals.ts';
import { url } from '../web/url.ts';
import { asyncHooks } from './async-hooks.ts';
import * as buffer from './buffer.ts';
import { http, https } from './http/http.ts';
import { process } from './process.ts';
import { console, diagnosticsChannel, os, timers, tty } from './small.ts';
import { unavailable } from './unavailable.ts';
import { types, util } from './util.ts';
import { zlib } from './zlib/zlib.ts';

const noSockets = 'they have HTTP, and no sockets';
const isolated = 'they run isolated from the machine';

const modules = new Map<string, unknown>();
const add = (name: string, value: unknown): void => mapSet(modules, name, value);

/** As in Node: it keeps the same characters that encodeURIComponent keeps. */
const escapeQuery = (text: unknown): string => encodeURIComponent(String(text).toWellFormed());

function unescapeQuery(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function completeEvents(): typeof EventEmitter {
  return Object.assign(EventEmitter, {
    captureRejectionSymbol: Symbol.for('nodejs.rejection'),
    errorMonitor: Symbol('events.errorMonitor'),
    setMaxListeners: () => {},
    getEventListeners: (emitter: InstanceType<typeof EventEmitter>, name: string) => emitter.listeners(name),
  });
}

function addAll(): void {
  const posix = Object.assign(path, { posix: path, win32: path });
  const strict = (assert as { strict?: unknown }).strict ?? assert;
  const available = {
    assert,
    'assert/strict': strict,
    async_hooks: asyncHooks,
    buffer: { ...buffer, atob, btoa, Blob, File },
    console,
    crypto,
    diagnostics_channel: diagnosticsChannel,
    events: completeEvents(),
    http,
    https,
    os,
    path: posix,
    'path/posix': posix,
    perf_hooks: { performance },
    process,
    punycode,
    querystring: Object.assign({ escape: escapeQuery, unescape: unescapeQuery }, querystring),
    stream,
    'stream/promises': stream.promises,
    'stream/web': streams,
    string_decoder: { StringDecoder },
    timers,
    'timers/promises': timers.promises,
    tty,
    url,
    util,
    'util/types': types,
    zlib,
  };
  for (const [name, value] of Object.entries(available)) add(name, value);
  for (const name of ['http2', 'net', 'tls', 'dns', 'dns/promises', 'dgram']) {
    add(name, unavailable(name, noSockets));
  }
  const rest =
    'child_process cluster fs fs/promises inspector module readline repl sqlite stream/consumers v8 vm wasi worker_threads';
  for (const name of rest.split(' ')) add(name, unavailable(name, isolated));
}

addAll();

export function require(name: unknown): unknown {
  const asked = toText(name);
  const found = mapGet(modules, asked.startsWith('node:') ? asked.slice(5) : asked);
  if (found !== undefined) return found;
  throw Object.assign(new Error(`Cannot find module '${asked}': importing npm packages is not supported yet`), {
    code: 'MODULE_NOT_FOUND',
  });
}
