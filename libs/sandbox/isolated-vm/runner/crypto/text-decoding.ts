// Decodes text in encodings that the guest itself lacks, such as Shift_JIS; the host has all of the web's standard.
import { checkRange } from './costs.ts';

/** The size of the largest HTTP response. */
const bytesMax = 10 * 1024 * 1024;
const labelUnitsMax = 64;

/** The standard's name for a label; throws for an unknown one. */
export function encodingName(label: unknown): string {
  const text = String(label);
  checkRange('The characters of an encoding', text.length, labelUnitsMax);
  return new TextDecoder(text).encoding;
}

/** The text as UTF-8; keeps a byte order mark as a character. */
export function decodeText(label: string, bytes: ArrayBuffer, fatal: unknown): ArrayBuffer {
  checkRange('The bytes of a text that is decoded', bytes.byteLength, bytesMax);
  const text = new TextDecoder(encodingName(label), { fatal: fatal === true, ignoreBOM: true }).decode(bytes);
  return new Uint8Array(new TextEncoder().encode(text)).buffer;
}
