// Makes ids: a prefix and 16 base62 characters, from random bytes or derived from given parts; the ids of requests also
// contain their time.
import { hash } from 'node:crypto';
import type { Millis } from './message.ts';

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
  | 'form'
  | 'hi' // source, saved component, component that a form asks, http interface
  | 'wh'
  | 'sub'
  | 'rpl' // webhook, subscription, replay
  | 'apn'
  | 'app'
  | 'ds' // account, app, data store
  | 'cmd'
  | 'req'
  | 'rec'
  | 'run'
  | 'msg'
  | 'fetch'
  | 'gw'
  | 'rt'; // command, request, record, run, webhook-id, gateway instance, partition of runtime

/** An id from `idBytes` random bytes, which the caller draws. */
export function idFromBytes(prefix: IdPrefix, bytes: Uint8Array): string {
  return idOf(prefix, Buffer.from(bytes.subarray(0, idBytes)).toString('hex'));
}

/**
 * The id with the time before its last twelve characters: a search for records about it can begin at that time. Longer
 * than other ids, so that it cannot be confused with them.
 */
export function timedId(id: string, at: Millis): string {
  const time = Math.min(Math.max(0, Math.floor(at)), timeMax);
  const text = groupText(Math.floor(time / groupSize)) + groupText(time % groupSize);
  return id.slice(0, -lengthChars) + text + id.slice(groupChars - lengthChars);
}

/** The time in an id by `timedId`; undefined: the id has none. */
export function timeOfId(prefix: IdPrefix, id: string): Millis | undefined {
  const text = id.slice(prefix.length + 1);
  if (!id.startsWith(`${prefix}_`) || text.length !== timedChars || !/^[0-9A-Za-z]+$/.test(text)) return undefined;
  return [...text.slice(0, timeChars)].reduce((time, digit) => time * alphabet.length + alphabet.indexOf(digit), 0);
}

/** The id of the number in the first 24 digits of `hex`. */
const idOf = (prefix: IdPrefix, hex: string): string => textOf(prefix, limbsOf(hex));

const limbsOf = (hex: string): number[] => [limbAt(hex, 0), limbAt(hex, 1), limbAt(hex, 2), limbAt(hex, 3)];

/** Divides the limbs in place: they cannot be used afterwards. */
function textOf(prefix: IdPrefix, limbs: number[]): string {
  let text = '';
  for (let i = 0; i < lengthChars; i += groupChars) text = groupText(divide(limbs)) + text;
  return `${prefix}_${text}`;
}

/** 24 bits, so that a remainder and a limb together stay exact; a BigInt would cost several times as much. */
const limbAt = (hex: string, index: number): number =>
  Number.parseInt(hex.slice(index * limbDigits, (index + 1) * limbDigits), 16);
const limbDigits = 6;
const limbSize = 2 ** 24;
const groupChars = 4;
const groupSize = 62 ** groupChars;
const timeChars = 2 * groupChars;
const timedChars = lengthChars - groupChars + timeChars;
/** In milliseconds: some 6,900 years. */
const timeMax = groupSize ** 2 - 1;
/** All pairs of characters, in the order of their numeric value. */
const pairs = Array.from(alphabet, (first) => Array.from(alphabet, (second) => first + second)).flat();

/** Divides the number in place, highest limb first. Returns the remainder: the value of its last four characters. */
function divide(limbs: number[]): number {
  let remainder = 0;
  for (let i = 0; i < limbs.length; i++) {
    const dividend = remainder * limbSize + (limbs[i] ?? 0);
    remainder = dividend % groupSize;
    limbs[i] = (dividend - remainder) / groupSize;
  }
  return remainder;
}

const groupText = (value: number): string =>
  (pairs[Math.floor(value / pairs.length)] ?? '') + (pairs[value % pairs.length] ?? '');

/** The same parts always yield the same id, so that a repeated step yields the same records. */
export function derivedId(prefix: IdPrefix, ...parts: readonly (string | number)[]): string {
  return idOf(prefix, hash('sha256', JSON.stringify(parts), 'hex'));
}

/**
 * Makes ids by index, from 0 to 16,777,215: the first is `derivedId` of the parts, and each next one is
 * higher by one. All share one hash.
 */
export function derivedIds(prefix: IdPrefix, ...parts: readonly (string | number)[]): (index: number) => string {
  const first = limbsOf(hash('sha256', JSON.stringify(parts), 'hex'));
  const head = textOf(prefix, [...first]).slice(0, -groupChars);
  const last = divide([...first]);
  // The part before the last four characters changes once in fifteen million ids.
  return (index) =>
    last + index < groupSize ? head + groupText(last + index) : textOf(prefix, addToLimbs(first, index));
}

function addToLimbs(limbs: readonly number[], addend: number): number[] {
  const sum = [...limbs];
  let carry = addend;
  for (let i = sum.length - 1; i >= 0 && carry > 0; i--) {
    const limb = (sum[i] ?? 0) + carry;
    sum[i] = limb % limbSize;
    carry = Math.floor(limb / limbSize);
  }
  return sum;
}

/** Whether an id of a source or a webhook is a source's. */
export const isSourceId = (id: string): boolean => id.startsWith('dc_');

/** The id of a workspace or of a user: as an `emitterId` it stands for all their sources. */
export const isOwnerId = (id: string): boolean => id.startsWith('o_') || id.startsWith('u_');

/** Whether `text` could be an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{16}$/.test(text.slice(prefix.length + 1));
}
