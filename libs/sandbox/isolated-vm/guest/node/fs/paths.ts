// Reads paths in the forms that Node's fs accepts, and resolves them to names in the tree.
import path from 'path-browserify';
import { Buffer } from '../../encoding/buffer.ts';
import { URL } from '../../web/url.ts';
import { argumentError, systemError } from './fs-errors.ts';
import type { SyscallContext } from './fs-errors.ts';

/** The limit of Linux. */
const pathUnitsMax = 4_096;
const nameUnitsMax = 255;

export type PathLike = string | Uint8Array | URL;

const describeType = (value: unknown): string =>
  value === null || value === undefined ? String(value) : `type ${typeof value}`;

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof URL && value.protocol === 'file:') return decodeURIComponent(value.pathname);
  if (value instanceof URL) throw argumentError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  throw argumentError(
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" argument must be of type string or an instance of Buffer or URL. Received ${describeType(value)}`,
  );
}

export function pathText(value: unknown, name = 'path'): string {
  const text = textOf(value, name);
  if (!text.includes('\0')) return text;
  const message = `The argument '${name}' must be a string, Uint8Array, or URL without null bytes`;
  throw argumentError('ERR_INVALID_ARG_VALUE', message);
}

/** The names from the root. There are no links, so `..` is resolved without access to the tree. */
export function namesOf(text: string, context: SyscallContext): readonly string[] {
  if (text === '') throw systemError('ENOENT', context);
  const names = path.resolve('/', text).split('/').filter(Boolean);
  if (text.length > pathUnitsMax || names.some((name) => name.length > nameUnitsMax))
    throw systemError('ENAMETOOLONG', context);
  return names;
}
