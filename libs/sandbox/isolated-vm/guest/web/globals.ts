// Puts the web's globals, as Node has them, onto the isolate's bare global object.
import 'core-js/actual/dom-exception/index.js';
import 'core-js/actual/structured-clone.js';
import { Buffer } from '../node/buffer.ts';
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
import { dateNow } from '../core/primordials.ts';
import { console } from './console.ts';
import * as events from './event-target.ts';
import { defineGlobal } from './first-globals.ts';
import * as messages from './messages.ts';
import { URL, URLSearchParams } from './url.ts';

const startedAt = dateNow();

export const performance = {
  now: (): number => dateNow() - startedAt,
  timeOrigin: startedAt,
  mark: (): void => {},
  measure: (): void => {},
  clearMarks: (): void => {},
  clearMeasures: (): void => {},
  getEntries: (): readonly object[] => [],
  getEntriesByName: (): readonly object[] => [],
  getEntriesByType: (): readonly object[] => [],
  eventLoopUtilization: (): object => ({ idle: 0, active: 0, utilization: 0 }),
  timerify: <T>(act: T): T => act,
  toJSON: (): object => ({ timeOrigin: startedAt }),
};

const invalidCharacter = (): unknown => new DOMException('Invalid character', 'InvalidCharacterError');

export function atob(input: unknown): string {
  const text = String(input).replace(/[\t\n\f\r ]/g, '');
  const bare = text.length % 4 === 0 ? text.replace(/==?$/, '') : text;
  if (bare.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(bare)) throw invalidCharacter();
  return Buffer.from(bare, 'base64').toString('latin1');
}

export function btoa(input: unknown): string {
  const text = String(input);
  if (/[^\0-\xff]/.test(text)) throw invalidCharacter();
  return Buffer.from(text, 'latin1').toString('base64');
}

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
  for (const [name, value] of Object.entries(globals)) defineGlobal(name, value);
}

/** Removes what components must not have: memory outside of the limit, and ways to block a thread. */
export function seal(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', '__core-js_shared__']) {
    Reflect.deleteProperty(globalThis, name);
  }
}
