// Reads the value of a prop of type `http_request`, a request that a user filled in, into one normal form: for the
// check at the deploy and for the sandbox, which sends it.
import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';

export interface Field {
  readonly name: string;
  readonly value: Json;
}

export type RequestBody =
  | { readonly kind: 'fields'; readonly contentType: string; readonly fields: readonly Field[] }
  | { readonly kind: 'raw'; readonly contentType: string; readonly text: string };

export type RequestAuth =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

export interface ConfiguredRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Field[];
  readonly params: readonly Field[];
  /** Null: there is none, or the method does not allow one. */
  readonly body: RequestBody | null;
  readonly auth: RequestAuth | null;
}

export type ParsedRequest = { readonly request: ConfiguredRequest } | { readonly problem: string };

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

class RequestError extends Error {}

/** `problem` continues a sentence whose subject is the prop. It never quotes a value, which might be a secret. */
export function readRequest(value: Json): ParsedRequest {
  try {
    return { request: requestOf(value) };
  } catch (error) {
    if (error instanceof RequestError) return { problem: error.message };
    throw error;
  }
}

function requestOf(value: Json): ConfiguredRequest {
  if (!isJsonObject(value)) throw new RequestError('must be an object: { "method": "GET", "url": "https://..." }');
  const method = textOf(value, 'method', 'GET').toUpperCase();
  if (!methods.includes(method)) throw new RequestError(`has a method other than ${methods.join(', ')}`);
  const headers = fieldsOf(value['headers'], 'headers');
  if (!headers.every(({ name }) => headerName.test(name)))
    throw new RequestError('has a header whose name HTTP does not allow');
  if (!headers.every((header) => headerValue.test(valueText(header))))
    throw new RequestError('has a header whose value has characters that HTTP does not allow');
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return {
    method,
    url: urlOf(value),
    headers,
    params: fieldsOf(value['params'], 'params'),
    body: hasBody ? bodyOf(value['body'] ?? null) : null,
    auth: authOf(value['auth'] ?? null),
  };
}

export const valueText = ({ value }: Field): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

function textOf(fields: JsonObject, name: string, fallback: string): string {
  const text = fields[name] ?? null;
  if (text === null || text === '') return fallback;
  if (typeof text !== 'string') throw new RequestError(`has a ${name} that is no text`);
  return text;
}

function urlOf(fields: JsonObject): string {
  const text = textOf(fields, 'url', '');
  if (text === '') throw new RequestError('needs a url');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RequestError('has a url that is not one: it must be whole, beginning with https:// or http://');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RequestError('has a url that begins neither with https:// nor with http://');
  if (url.username !== '' || url.password !== '')
    throw new RequestError(
      'has credentials in its url: give them as "auth", { "type": "basic", "username", "password" }',
    );
  return text;
}

/** Reads a list of `{ name, value }`, or an object of values by name. Drops list items without a name: empty rows. */
function fieldsOf(input: Json | undefined, listName: string): readonly Field[] {
  if (input === undefined || input === null) return [];
  if (isJsonObject(input)) return Object.entries(input).map(([name, value]: [string, Json]) => ({ name, value }));
  if (!Array.isArray(input)) throw new RequestError(`has ${listName} that are no list of { name, value }`);
  return (input as readonly Json[])
    .map((field) => {
      if (!isJsonObject(field)) throw new RequestError(`has ${listName} that are no list of { name, value }`);
      return { name: textOf(field, 'name', ''), value: field['value'] ?? '' };
    })
    .filter(({ name }) => name !== '');
}

/** The kind is in `mode` or, in some clients' requests, in `type`; without both it follows from the fields present. */
function bodyOf(input: Json): RequestBody | null {
  if (input === null) return null;
  if (!isJsonObject(input))
    throw new RequestError('has a body that is no object: { "mode": "raw", "contentType", "raw" }');
  const impliedMode = (input['raw'] ?? '') === '' ? (input['fields'] === undefined ? 'none' : 'fields') : 'raw';
  const mode = textOf(input, 'mode', textOf(input, 'type', impliedMode));
  const contentType = textOf(input, 'contentType', '');
  if (!headerValue.test(contentType))
    throw new RequestError('has a contentType with characters that HTTP does not allow');
  if (mode === 'none') return null;
  if (mode === 'fields')
    return {
      kind: 'fields',
      contentType: contentType || 'application/json',
      fields: fieldsOf(input['fields'], 'fields'),
    };
  if (mode === 'raw') return { kind: 'raw', contentType: contentType || 'text/plain', text: textOf(input, 'raw', '') };
  throw new RequestError('has a body whose mode is not fields, raw or none');
}

function authOf(input: Json): RequestAuth | null {
  if (input === null) return null;
  if (!isJsonObject(input)) throw new RequestError('has an auth that is no object: { "type": "bearer", "token" }');
  const type = textOf(input, 'type', 'none');
  if (type === 'none') return null;
  if (type === 'basic')
    return { kind: 'basic', username: textOf(input, 'username', ''), password: textOf(input, 'password', '') };
  if (type !== 'bearer') throw new RequestError('has an auth whose type is not basic, bearer or none');
  const token = textOf(input, 'token', '');
  if (!headerValue.test(token)) throw new RequestError('has a token with characters that HTTP does not allow');
  return { kind: 'bearer', token };
}
