// Random text for keys and secrets: base62, each character equally likely.
import type { Ambient } from '../../domain/ambient.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 that a byte can hold: bytes above would favour the first characters. */
const evenBelow = 248;

export function randomBase62(ambient: Pick<Ambient, 'randomBytes'>, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of ambient.randomBytes(length)) {
      if (byte < evenBelow && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
