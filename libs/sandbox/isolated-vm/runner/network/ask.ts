// What a guest asks for, read and checked again: its types are erased, and a component may have taken it over.
import type { Field, Outgoing } from '../../../../egress/index.ts';
import { readObject } from '../said/json.ts';
import type { WayOut } from './network.ts';

/** Undefined: no code of ours says so. A text: why it cannot be asked. */
export function readAsk(
  text: string,
  body: ArrayBuffer | undefined,
  { egress }: WayOut,
): Outgoing | string | undefined {
  const { method, url, headers, redirect } = readObject(text);
  if (typeof method !== 'string' || typeof url !== 'string' || !isFields(headers) || !isRedirect(redirect)) {
    return undefined;
  }
  if (!egress.isMethod(method)) return 'The method is not one that can be sent';
  const target = URL.parse(url);
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:'))
    return 'Only http and https URLs can be asked';
  if (target.username !== '' || target.password !== '') return 'A URL with a user or a password cannot be asked';
  if (!headers.every(egress.isField)) return 'A header field has characters that HTTP does not allow';
  const units = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (units > egress.headerUnitsMax)
    return `The header fields have ${units} characters, ${egress.headerUnitsMax} are allowed`;
  const bytes = body === undefined ? undefined : new Uint8Array(body);
  return { method, url: target.href, headers, body: bytes, redirect };
}

const isRedirect = (value: unknown): value is Outgoing['redirect'] =>
  value === 'follow' || value === 'manual' || value === 'error';

const isFields = (value: unknown): value is readonly Field[] =>
  Array.isArray(value) &&
  value.every(
    (field) =>
      Array.isArray(field) && field.length === 2 && typeof field[0] === 'string' && typeof field[1] === 'string',
  );
