// The parsed body of an endpoint's request: by its content type, and never an error (docs/reference/component-api.md,
// "Endpoints" and "What `run` gets").
import { isTextNestedTooDeep } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { formPairs } from './url-encoded-form.ts';
import { boundaryOf, formParts } from './multipart.ts';

/** The event of an HTTP request, body unparsed: it is parsed where `run` is, so that only its source pays for it. */
export type UnparsedHttpEvent = JsonObject & {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyRaw: string;
  /** The bytes if they are not UTF-8; `bodyRaw` is then empty, and is made from them. */
  readonly bodyBase64?: string;
  /** The bytes as they were sent, if `bodyRaw` or `bodyBase64` is what they were decoded to. */
  readonly sentBase64?: string;
};

/** The event with `body` parsed from `bodyRaw`, in its usual place among the fields; `bodyBase64` is what was sent. */
export function withParsedBody({ sentBase64, ...event }: UnparsedHttpEvent): JsonObject {
  const { bodyBase64 } = event;
  const sent = sentBase64 === undefined ? {} : { bodyBase64: sentBase64 };
  const bytes = bodyBase64 === undefined ? undefined : Buffer.from(bodyBase64, 'base64');
  const bodyRaw = bytes === undefined ? event.bodyRaw : bytes.toString('utf8');
  return { ...event, ...sent, bodyRaw, body: parseBody(typeOf(event.headers), bodyRaw, bytes) };
}

/**
 * The content type by which to parse. Amazon SNS sends its JSON envelope as `text/plain`, though components expect the
 * parsed value. With raw delivery, which a header announces, there is no envelope, and the type is the sender's.
 */
function typeOf(headers: UnparsedHttpEvent['headers']): string | undefined {
  const isEnvelope = 'x-amz-sns-message-type' in headers && !('x-amz-sns-rawdelivery' in headers);
  return isEnvelope ? 'application/json' : headers['content-type'];
}

/** JSON, form fields, or else (or nested too deep) the text itself. Without a content type, the text decides. */
function parseBody(contentType: string | undefined, text: string, bytes: Uint8Array | undefined): Json {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return fields(formPairs(text));
  const boundary = type === 'multipart/form-data' ? boundaryOf(contentType ?? '') : undefined;
  if (boundary !== undefined) return parseForm(bytes ?? Buffer.from(text), boundary) ?? text;
  const isJson = type === '' ? /^\s*[[{]/.test(text) : /^[^/]+\/(?:.+\+)?json$/.test(type);
  return isJson ? parseJson(text) : text;
}

/** A byte order mark, which some clients send before their JSON, is no part of it (RFC 8259, 8.1). */
function parseJson(text: string): Json {
  if (isTextNestedTooDeep(text)) return text;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch {
    return text;
  }
}

/** Undefined: it is not what its content type says. */
function parseForm(bytes: Uint8Array, boundary: string): Json | undefined {
  try {
    return fields(formParts(bytes, boundary));
  } catch {
    return undefined;
  }
}

/** A repeated name has all its values. */
function fields(pairs: readonly (readonly [string, Json])[]): Json {
  const values = new Map<string, Json[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]));
}
