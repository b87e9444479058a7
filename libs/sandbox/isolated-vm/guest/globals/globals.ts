// Adds the web's globals, as in Node, to the isolate's bare global object.
import 'core-js/actual/dom-exception/index.js';
import 'core-js/actual/structured-clone.js';
import { Buffer } from '../encoding/buffer.ts';
import { webcrypto } from '../crypto/webcrypto.ts';
import { Blob, File } from '../fetch/blob.ts';
import { fetch } from '../fetch/fetch.ts';
import { FormData } from '../fetch/form-data.ts';
import { Headers } from '../fetch/headers.ts';
import { Request } from '../fetch/request.ts';
import { Response } from '../fetch/response.ts';
import { streams } from '../fetch/streams.ts';
import { reportUncaught } from '../core/uncaught.ts';
import { timerFunctions } from '../core/timers.ts';
import { atob, btoa } from '../encoding/base64.ts';
import { TextDecoder, TextEncoder } from '../encoding/text-encoding.ts';
import { console } from '../web/console.ts';
import * as events from '../web/event-target.ts';
import { defineGlobal } from './first-globals.ts';
import { replaceArrayBuffer } from './fixed-buffers.ts';
import { restoreExportedNames } from './function-names.ts';
import * as messages from '../web/messages.ts';
import { performance, PerformanceEntry, PerformanceObserver } from '../web/performance.ts';
import { URL, urlPattern, URLSearchParams } from '../web/url.ts';

function queueMicrotask(callback: () => unknown): void {
  if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function.');
  void Promise.resolve().then(() => {
    try {
      callback();
    } catch (error) {
      reportUncaught(error);
    }
  });
}

const network = { fetch, Blob, File, FormData, Headers, Request, Response };

/** Sets the toStringTag of the classes that have one in Node; libraries recognize an AbortSignal by it. */
function setToStringTags(): void {
  const { CompressionStream, DecompressionStream } = streams;
  const classes = { ...events, TextEncoder, TextDecoder, CompressionStream, DecompressionStream };
  const prototypes = Object.entries(classes).map(([name, { prototype }]) => [name, prototype] as const);
  const objects = { Crypto: webcrypto, SubtleCrypto: webcrypto.subtle, Performance: performance };
  for (const [name, value] of [...prototypes, ...Object.entries(objects)])
    Object.defineProperty(value, Symbol.toStringTag, { value: name, configurable: true });
  for (const [name, value] of Object.entries(objects)) defineGlobal(name, classOf(value, name));
}

/** A class for a single existing object; its constructor throws. */
function classOf(instance: object, name: string): object {
  const singletonClass = class {
    constructor() {
      throw new TypeError('Illegal constructor');
    }
  };
  Object.defineProperty(singletonClass, 'name', { value: name, configurable: true });
  Object.setPrototypeOf(instance, singletonClass.prototype as object);
  return singletonClass;
}

export function installGlobals(): void {
  const globals = {
    ...events,
    ...messages,
    ...timerFunctions,
    URL,
    URLSearchParams,
    Buffer,
    console,
    performance,
    PerformanceEntry,
    PerformanceObserver,
    atob,
    btoa,
    queueMicrotask,
    ...network,
    ...streams,
    crypto: webcrypto,
    CryptoKey: webcrypto.CryptoKey,
    structuredClone: globalThis.structuredClone,
    defineComponent: (component: unknown): unknown => component,
  };
  restoreExportedNames(globals);
  for (const [name, value] of Object.entries(globals)) defineGlobal(name, value);
  Object.defineProperty(globalThis, 'URLPattern', {
    configurable: true,
    get: () => urlPattern(),
    set(value: unknown) {
      defineGlobal('URLPattern', value);
    },
  });
  setToStringTags();
  replaceArrayBuffer();
}

/** Removes what components must not have: memory outside of the limit, and functions that block the thread. */
export function removeForbiddenGlobals(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', '__core-js_shared__'])
    Reflect.deleteProperty(globalThis, name);
  // The rest of Atomics is harmless without shared memory, and packages copy its functions while they load.
  for (const name of ['wait', 'waitAsync', 'notify', 'pause']) Reflect.deleteProperty(Atomics, name);
}
