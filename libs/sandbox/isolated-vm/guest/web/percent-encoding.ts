// Replaces @exodus/bytes in whatwg-url: supports only UTF-8, which saves 600 KB of legacy encodings.
import { TextEncoder } from '../encoding/text-encoding.ts';

const encoder = new TextEncoder();

/** `set` lists the ASCII characters that are encoded in addition to everything outside 0x20 to 0x7e. */
export function percentEncodeAfterEncoding(_encoding: string, input: string, set: string, spaceAsPlus = false): string {
  let text = '';
  for (const byte of encoder.encode(input)) {
    const character = String.fromCharCode(byte);
    if (spaceAsPlus && byte === 0x20) text += '+';
    else if (byte < 0x20 || byte > 0x7e || set.includes(character))
      text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    else text += character;
  }
  return text;
}
