// Reads and validates a guest's HTTP request, because a component might have tampered with the guest.
import type { Field, OutgoingRequest } from '../../../../egress/index.ts';
import { readObject } from '../guest-output/json.ts';

/** Undefined: the guest's own code never sends this. The egress checks which requests are allowed. */
export function readRequest(text: string, body: ArrayBuffer | undefined): OutgoingRequest | undefined {
  const { method, url, path, headers, redirect } = readObject(text);
  if (typeof method !== 'string' || typeof url !== 'string' || !isFields(headers) || !isRedirect(redirect)) {
    return undefined;
  }
  if (path !== undefined && typeof path !== 'string') return undefined;
  return { method, url, path, headers, body: body === undefined ? undefined : new Uint8Array(body), redirect };
}

const isRedirect = (value: unknown): value is OutgoingRequest['redirect'] =>
  value === 'follow' || value === 'manual' || value === 'error';

const isFields = (value: unknown): value is readonly Field[] =>
  Array.isArray(value) &&
  value.every(
    (field) =>
      Array.isArray(field) && field.length === 2 && typeof field[0] === 'string' && typeof field[1] === 'string',
  );
