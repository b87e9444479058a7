// Describes an outgoing request, and which header fields its author may set: the service sets those about transport.

export type Field = readonly [name: string, value: string];

export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  /** Sent unchanged instead of the URL's path and query: a URL resolves dots, and encodes some characters. */
  readonly path?: string | undefined;
  readonly headers: readonly Field[];
  readonly body: Uint8Array | undefined;
  /** `error`: a redirect is a failure. */
  readonly redirect: 'follow' | 'manual' | 'error';
}

/** Fields about framing and routing: one from the author could contradict the connection. */
const transportFields: ReadonlySet<string> = new Set(
  'connection content-length expect host http2-settings keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters, spaces, tabs and Latin-1: no line breaks, no NUL. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** An absolute path, or a whole URL, as proxies accept it: visible characters and Latin-1. */
const pathOnWire = /^(?:\/|https?:\/\/)[\x21-\x7e\x80-\xff]*$/;

const methodUnitsMax = 32;
/** The most UTF-16 units of header fields: servers accept 8 to 32 KiB; Node itself sends any number. */
const headerUnitsMax = 32 * 1024;

const isField = ([name, value]: Field): boolean => token.test(name) && fieldValue.test(value);

/** CONNECT would open a tunnel; TRACE sends back what only the server should see. */
const isMethod = (method: string): boolean =>
  method.length <= methodUnitsMax && token.test(method) && !/^(connect|trace|track)$/i.test(method);

/** Removes the fields that the service sets. */
export const sendableFields = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(([name]) => !transportFields.has(name.toLowerCase()));

/** Why the request cannot be sent; undefined when it can. */
export function refusalOf({ method, url, path, headers }: OutgoingRequest): string | undefined {
  if (!isMethod(method)) return 'The method is not one that can be sent';
  const target = URL.parse(url);
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:'))
    return 'Only http and https URLs can be asked';
  if (target.username !== '' || target.password !== '') return 'A URL with a user or a password cannot be asked';
  if (path !== undefined && !pathOnWire.test(path)) return 'The path has characters that HTTP does not allow';
  if (!headers.every(isField)) return 'A header field has characters that HTTP does not allow';
  const units = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return units > headerUnitsMax
    ? `The header fields have ${units} characters, ${headerUnitsMax} are allowed`
    : undefined;
}
