// Replaces ArrayBuffer by one of fixed size, because isolated-vm counts resizable ones towards no memory limit.
import { construct } from '../core/primordials.ts';
import { defineGlobal } from './first-globals.ts';

/** Call once, before any component runs; afterwards V8's own constructor is unreachable. */
export function replaceArrayBuffer(): void {
  const ResizableBuffer = ArrayBuffer;
  const { prototype } = ResizableBuffer;

  function FixedBuffer(this: unknown, length: unknown, options?: { readonly maxByteLength?: unknown }): object {
    if (new.target === undefined) throw new TypeError("Constructor ArrayBuffer requires 'new'");
    if (typeof options === 'object' && options !== null && options.maxByteLength !== undefined)
      throw new RangeError('Resizable ArrayBuffers are not available to components: leave maxByteLength out');
    return construct(ResizableBuffer, [length], new.target);
  }

  Object.defineProperties(FixedBuffer, {
    ...Object.getOwnPropertyDescriptors(ResizableBuffer),
    prototype: { value: prototype, writable: false, enumerable: false, configurable: false },
  });
  Object.defineProperty(prototype, 'constructor', { value: FixedBuffer, writable: true, configurable: true });
  Reflect.deleteProperty(prototype, 'resize');
  defineGlobal('ArrayBuffer', FixedBuffer);
}
