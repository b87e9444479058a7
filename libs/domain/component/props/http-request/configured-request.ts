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

export type ReadRequest = { readonly request: ConfiguredRequest } | { readonly problem: string };

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

class RequestProblem extends Error {}

/** `problem` continues a sentence whose subject is the prop. It never quotes a value, which might be a secret. */
export function readRequest(value: Json): ReadRequest {
  try {
    return { request: requestOf(value) };
  } catch (error) {
    if (error instanceof RequestProblem) return { problem: error.message };
    throw error;
  }
}

function requestOf(value: Json): ConfiguredRequest {
  if (!isJsonObject(value)) throw new RequestProblem('must be an object: { "method": "GET", "url": "https://..." }');
  const method = textOf(value, 'method', 'GET').toUpperCase();
  if (!methods.includes(method)) throw new RequestProblem(`has a method other than ${methods.join(', ')}`);
  const headers = fieldsOf(value['headers'], 'headers');
  if (!headers.every(({ name }) => headerName.test(name)))
    throw new RequestProblem('has a header whose name HTTP does not allow');
  if (!headers.every((header) => headerValue.test(textIn(header))))
    throw new RequestProblem('has a header whose value has characters that HTTP does not allow');
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

export const textIn = ({ value }: Field): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

function textOf(fields: JsonObject, name: string, unset: string): string {
  const text = fields[name] ?? null;
  if (text === null || text === '') return unset;
  if (typeof text !== 'string') throw new RequestProblem(`has a ${name} that is no text`);
  return text;
}

function urlOf(fields: JsonObject): string {
  const text = textOf(fields, 'url', '');
  if (text === '') throw new RequestProblem('needs a url');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RequestProblem('has a url that is not one: it must be whole, beginning with https:// or http://');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RequestProblem('has a url that begins neither with https:// nor with http://');
  if (url.username !== '' || url.password !== '')
    throw new RequestProblem(
      'has credentials in its url: give them as "auth", { "type": "basic", "username", "password" }',
    );
  return text;
}

/** Reads a list of `{ name, value }`, or an object of values by name. Drops list items without a name: empty rows. */
function fieldsOf(given: Json | undefined, what: string): readonly Field[] {
  if (given === undefined || given === null) return [];
  if (isJsonObject(given)) return Object.entries(given).map(([name, value]: [string, Json]) => ({ name, value }));
  if (!Array.isArray(given)) throw new RequestProblem(`has ${what} that are no list of { name, value }`);
  return (given as readonly Json[])
    .map((field) => {
      if (!isJsonObject(field)) throw new RequestProblem(`has ${what} that are no list of { name, value }`);
      return { name: textOf(field, 'name', ''), value: field['value'] ?? '' };
    })
    .filter(({ name }) => name !== '');
}

/** The kind is in `mode` or, in some clients' requests, in `type`; without both it follows from the fields present. */
function bodyOf(given: Json): RequestBody | null {
  if (given === null) return null;
  if (!isJsonObject(given))
    throw new RequestProblem('has a body that is no object: { "mode": "raw", "contentType", "raw" }');
  const found = (given['raw'] ?? '') === '' ? (given['fields'] === undefined ? 'none' : 'fields') : 'raw';
  const mode = textOf(given, 'mode', textOf(given, 'type', found));
  const named = textOf(given, 'contentType', '');
  if (!headerValue.test(named)) throw new RequestProblem('has a contentType with characters that HTTP does not allow');
  if (mode === 'none') return null;
  if (mode === 'fields')
    return { kind: 'fields', contentType: named || 'application/json', fields: fieldsOf(given['fields'], 'fields') };
  if (mode === 'raw') return { kind: 'raw', contentType: named || 'text/plain', text: textOf(given, 'raw', '') };
  throw new RequestProblem('has a body whose mode is not fields, raw or none');
}

function authOf(given: Json): RequestAuth | null {
  if (given === null) return null;
  if (!isJsonObject(given)) throw new RequestProblem('has an auth that is no object: { "type": "bearer", "token" }');
  const type = textOf(given, 'type', 'none');
  if (type === 'none') return null;
  if (type === 'basic')
    return { kind: 'basic', username: textOf(given, 'username', ''), password: textOf(given, 'password', '') };
  if (type !== 'bearer') throw new RequestProblem('has an auth whose type is not basic, bearer or none');
  const token = textOf(given, 'token', '');
  if (!headerValue.test(token)) throw new RequestProblem('has a token with characters that HTTP does not allow');
  return { kind: 'bearer', token };
}
