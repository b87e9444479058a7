// Random text for keys and secrets, each character of its alphabet equally likely.
import type { Ambient } from '../../domain/ambient.ts';

/** What a host name can hold: it does not distinguish upper case. */
export const hostSafe = '0123456789abcdefghijklmnopqrstuvwxyz';
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomText(ambient: Pick<Ambient, 'randomBytes'>, alphabet: string, length: number): string {
  // Bytes above would favour the first characters.
  const evenBelow = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of ambient.randomBytes(length)) {
      if (byte < evenBelow && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
