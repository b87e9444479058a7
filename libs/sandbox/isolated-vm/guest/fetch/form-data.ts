// FormData, and its encoding as multipart/form-data (RFC 7578, with names escaped as in the HTML standard).
import { boundaryOf, parseParts } from '../../../../domain/component/http/multipart.ts';
import { randomUUID } from '../crypto/random.ts';
import { TextDecoder, TextEncoder } from '../encoding/text-encoding.ts';
import { Blob, File, concatBytes } from './blob.ts';

export type FormValue = string | File;

function formValue(value: unknown, filename: unknown): FormValue {
  if (!(value instanceof Blob)) return String(value);
  if (value instanceof File && filename === undefined) return value;
  return new File([value], filename ?? (value instanceof File ? value.name : 'blob'), { type: value.type });
}

export class FormData {
  #fields: (readonly [string, FormValue])[] = [];

  append(name: unknown, value: unknown, filename?: unknown): void {
    this.#fields.push([String(name), formValue(value, filename)]);
  }
  set(name: unknown, value: unknown, filename?: unknown): void {
    const key = String(name);
    const at = this.#fields.findIndex(([field]) => field === key);
    const field = [key, formValue(value, filename)] as const;
    if (at < 0) this.#fields.push(field);
    else
      this.#fields = this.#fields.flatMap((other, index) => (index === at ? [field] : other[0] === key ? [] : [other]));
  }
  get(name: unknown): FormValue | null {
    return this.#fields.find(([field]) => field === String(name))?.[1] ?? null;
  }
  getAll(name: unknown): FormValue[] {
    return this.#fields.filter(([field]) => field === String(name)).map(([, value]) => value);
  }
  has(name: unknown): boolean {
    return this.#fields.some(([field]) => field === String(name));
  }
  delete(name: unknown): void {
    this.#fields = this.#fields.filter(([field]) => field !== String(name));
  }
  forEach(callback: (value: FormValue, name: string, form: FormData) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, FormValue]> {
    for (const [name, value] of this.#fields) yield [name, value];
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#fields) yield name;
  }
  *values(): IterableIterator<FormValue> {
    for (const [, value] of this.#fields) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, FormValue]> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return 'FormData';
  }
}

const escapeName = (text: string): string =>
  text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

export function encodeMultipart(form: FormData): { readonly bytes: Uint8Array; readonly type: string } {
  const boundary = `----formdata-${randomUUID()}`;
  const encoder = new TextEncoder();
  const parts = [...form].flatMap(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`;
    if (typeof value === 'string') return [encoder.encode(`${head}\r\n\r\n${value.replace(/\r?\n|\r/g, '\r\n')}\r\n`)];
    const type = value.type || 'application/octet-stream';
    const file = `${head}; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`;
    return [encoder.encode(file), Blob.bytesOf(value), encoder.encode('\r\n')];
  });
  const bytes = concatBytes([...parts, encoder.encode(`--${boundary}--\r\n`)]);
  return { bytes, type: `multipart/form-data; boundary=${boundary}` };
}

/** More than the limit of a response, which therefore applies first. */
const parsedBytesMax = 32 * 1024 * 1024;

/** Throws a TypeError if the bytes are no form of this content type. */
export function parseForm(bytes: Uint8Array, contentType: string): FormData {
  const form = new FormData();
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) throw new TypeError('The content type of a multipart form must name its boundary');
  try {
    for (const part of parseParts(bytes, boundary, parsedBytesMax)) {
      const { name, filename, contentType: type = 'text/plain' } = part;
      if (filename === undefined) form.append(name, new TextDecoder().decode(part.bytes));
      else form.append(name, new File([part.bytes.slice()], filename, { type }));
    }
  } catch (error) {
    throw new TypeError('The body is not a multipart form', { cause: error });
  }
  return form;
}
