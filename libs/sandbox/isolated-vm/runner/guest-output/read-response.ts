// Reads the HTTP response from a guest.
import type { HttpResponse } from '../../../sandbox.ts';
import { readObject } from './json.ts';

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function headerValue(value: unknown): string | readonly string[] | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** Undefined if it is not a response, or its body is larger than `bodyBytesMax`. */
export function readResponse(head: string, body: string, bodyBytesMax: number): HttpResponse | undefined {
  const { status, headers, encoding } = readObject(head);
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  const validEntries = entries.flatMap(([name, value]) => {
    const text = headerValue(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  const isBase64 = encoding === 'base64';
  if (isBase64 && !base64.test(body)) return undefined;
  if ((isBase64 ? body.length * 0.75 - 2 : Buffer.byteLength(body)) > bodyBytesMax) return undefined;
  return {
    status,
    headers: Object.fromEntries(validEntries),
    bodyBase64: isBase64 ? body : Buffer.from(body).toString('base64'),
  };
}
