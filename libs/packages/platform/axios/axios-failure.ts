// Makes the error of a failed axios request: with the server's answer, and without what was sent.
import { AxiosError } from 'axios';
import { jsonStringifySafe } from '../safe-json.ts';
import { exportValue, hasContext } from './step.ts';

const isStream = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && typeof (data as { readonly pipe?: unknown }).pipe === 'function';

/** Decodes a body of bytes, because servers explain errors as text even if bytes were requested. */
const decodeBody = (data: unknown): unknown =>
  data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? new TextDecoder().decode(data as Uint8Array) : data;

/** Removes the parts with secrets (the request and its config) and the stack frames of the client's own code. */
function stripError(error: AxiosError, step: unknown): void {
  const { response, message } = error;
  if (response === undefined) return;
  const { status, statusText, headers, data } = response;
  for (const name of ['request', 'config', 'stack'] as const) Reflect.deleteProperty(error, name);
  const text = isStream(data) ? undefined : jsonStringifySafe(decodeBody(data));
  error.name = `${error.name} - ${message}`;
  error.message = text ?? message;
  const visible = { status, statusText, headers, data };
  Reflect.set(error, 'response', visible);
  if (hasContext(step)) exportValue(step, 'debug', { ...visible, data: isStream(data) ? undefined : data });
}

/** Throws the reduced error. */
export function rethrow(error: unknown, step: unknown): never {
  if (error instanceof AxiosError) stripError(error, step);
  throw error;
}
