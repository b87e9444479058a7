// Node's util: the functions of @jspm/core, with inspect and format extracted from Node's own source.
import assert from 'assert/build/assert.js';
import { format, formatWithOptions, inspect } from 'node-inspect-extracted';
import utilOfPackage from '@jspm/core/nodelibs/util';
import { KeyObject } from '../../crypto/keys/key-object.ts';
import { CryptoKey } from '../../crypto/subtle/crypto-key.ts';
import { parseArgs } from './parse-args.ts';
import { TextDecoder, TextEncoder } from '../../encoding/text-encoding.ts';

/** Terminal colours. */
const controlSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

function isDeepStrictEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

const promisifyCustom = Symbol.for('nodejs.util.promisify.custom');

type CallbackFunction = (...args: readonly unknown[]) => unknown;

/** Turns a function whose last argument is a callback into one that returns a promise. */
function promisify(original: CallbackFunction & { readonly [promisifyCustom]?: unknown }): unknown {
  if (typeof original !== 'function') {
    const message = `The "original" argument must be of type function. Received ${inspect(original)}`;
    throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  const customForm = original[promisifyCustom];
  if (typeof customForm === 'function') return customForm;
  const promisified = function (this: unknown, ...args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const callback = (error: unknown, value: unknown): void => (error ? reject(error as Error) : resolve(value));
      original.call(this, ...args, callback);
    });
  };
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original) as object);
  return Object.defineProperties(promisified, Object.getOwnPropertyDescriptors(original));
}

/** As in Node, properties that the prototype already has are kept. */
function inherits(subclass: { readonly prototype: object }, superclass: { readonly prototype: object }): void {
  for (const one of [subclass, superclass]) {
    if (typeof one === 'function') continue;
    const message = `The constructors must be functions. Received ${inspect(one)}`;
    throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  Object.defineProperty(subclass, 'super_', { value: superclass, writable: true, configurable: true });
  Object.setPrototypeOf(subclass.prototype, superclass.prototype);
}

const debuglog = (): object => Object.assign(() => {}, { enabled: false });

const { types: typesOfPackage, ...rest } = utilOfPackage;

const { toStringTag } = Symbol;
const isAsyncFunction = (value: unknown): boolean =>
  typeof value === 'function' &&
  ['AsyncFunction', 'AsyncGeneratorFunction'].includes(
    String((value as unknown as Record<symbol, unknown>)[toStringTag]),
  );

export const types = {
  ...typesOfPackage,
  isAsyncFunction,
  isCryptoKey: (value: unknown): boolean => value instanceof CryptoKey,
  isKeyObject: (value: unknown): boolean => value instanceof KeyObject,
  isProxy: (): boolean => false,
  isExternal: (): boolean => false,
};

export const util = {
  ...rest,
  types,
  inspect,
  format,
  formatWithOptions,
  TextEncoder,
  TextDecoder,
  inherits,
  promisify: Object.assign(promisify, { custom: promisifyCustom }),
  debuglog,
  debug: debuglog,
  isDeepStrictEqual,
  parseArgs,
  stripVTControlCharacters: (text: unknown) => String(text).replace(controlSequence, ''),
  toUSVString: (text: unknown) => String(text).toWellFormed(),
  styleText: (_format: unknown, text: unknown) => String(text),
};
