// Ids: a prefix and 16 base62 characters, drawn from random bytes or derived from what an input already has.
import { createHash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const lengthChars = 16;
/** 62^16 < 2^96, so 12 bytes carry all the entropy an id can hold. */
export const idBytes = 12;

export type IdPrefix =
  | 'o'
  | 'u'
  | 'key' // workspace, user, API key
  | 'dc'
  | 'sc'
  | 'hi' // deployed component, saved component, http interface
  | 'wh'
  | 'sub' // webhook, subscription
  | 'cmd'
  | 'req'
  | 'rec'
  | 'run'
  | 'msg'
  | 'gw'; // command, request, record, run, webhook-id, gateway instance

/** An id from `idBytes` random bytes, which the caller draws: nothing in the domain does. */
export function idFromBytes(prefix: IdPrefix, bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes.subarray(0, idBytes)) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < lengthChars; i++) {
    text = alphabet.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return `${prefix}_${text}`;
}

/** The same parts give the same id, so repeating a step yields the records it yielded before. */
export function derivedId(prefix: IdPrefix, ...parts: readonly (string | number)[]): string {
  return idFromBytes(prefix, createHash('sha256').update(JSON.stringify(parts)).digest());
}

/** Whether `text` could be an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{16}$/.test(text.slice(prefix.length + 1));
}
