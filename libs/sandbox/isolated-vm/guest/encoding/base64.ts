// atob and btoa of the HTML standard, which work on binary strings, not bytes.
import { Buffer } from './buffer.ts';

const invalidCharacter = (): unknown => new DOMException('Invalid character', 'InvalidCharacterError');

export function atob(input: unknown): string {
  const text = String(input).replace(/[\t\n\f\r ]/g, '');
  const unpadded = text.length % 4 === 0 ? text.replace(/==?$/, '') : text;
  if (unpadded.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(unpadded)) throw invalidCharacter();
  return Buffer.from(unpadded, 'base64').toString('latin1');
}

export function btoa(input: unknown): string {
  const text = String(input);
  if (/[^\0-\xff]/.test(text)) throw invalidCharacter();
  return Buffer.from(text, 'latin1').toString('base64');
}
