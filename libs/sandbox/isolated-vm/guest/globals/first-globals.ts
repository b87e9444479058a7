// Sets globals that the packages need while they are evaluated; imported before all of them.
import { TextDecoder, TextEncoder } from '../encoding/text-encoding.ts';

export function defineGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

/** V8 has no SharedArrayBuffer while it makes a snapshot, and whatwg-url looks up its accessors. */
class SharedArrayBufferStandIn {
  get byteLength(): number {
    throw new TypeError('Not a SharedArrayBuffer');
  }
  get growable(): boolean {
    throw new TypeError('Not a SharedArrayBuffer');
  }
}

defineGlobal('TextEncoder', TextEncoder);
defineGlobal('TextDecoder', TextDecoder);
defineGlobal('global', globalThis);
defineGlobal(
  'navigator',
  Object.freeze({ userAgent: 'Node.js/24', language: 'en-US', platform: 'linux', hardwareConcurrency: 1 }),
);
const needsStandIn = typeof SharedArrayBuffer === 'undefined';
if (needsStandIn) defineGlobal('SharedArrayBuffer', SharedArrayBufferStandIn);

/** Call before the snapshot is made; later V8 adds the real one, and the stand-in could no longer be removed. */
export function removeStandIn(): void {
  if (needsStandIn) Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
}
