// Node's util: promisify and friends of @jspm/core, inspect and format extracted from Node's own source.
import assert from 'assert/build/assert.js';
import { format, formatWithOptions, inspect } from 'node-inspect-extracted';
import utilOfPackage from '@jspm/core/nodelibs/util';
import { TextDecoder, TextEncoder } from '../web/text-encoding.ts';

/** Colours of a terminal. */
const controlSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

function isDeepStrictEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

const debuglog = (): object => Object.assign(() => {}, { enabled: false });

const { types: typesOfPackage, ...rest } = utilOfPackage;

export const types = { ...typesOfPackage, isProxy: () => false, isExternal: () => false };

export const util = {
  ...rest,
  types,
  inspect,
  format,
  formatWithOptions,
  TextEncoder,
  TextDecoder,
  debuglog,
  debug: debuglog,
  isDeepStrictEqual,
  stripVTControlCharacters: (text: unknown) => String(text).replace(controlSequence, ''),
  toUSVString: (text: unknown) => String(text).toWellFormed(),
  styleText: (_format: unknown, text: unknown) => String(text),
};
