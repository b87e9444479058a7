// The parsed body of an endpoint's request: by its content type, and never an error (component-api.md 1.9, 2.5).
import { isTextNestedTooDeep } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { formPairs } from './form.ts';

/** The event of an HTTP request before its body is parsed: where `run` is, so that a stranger's text costs nobody else. */
export type UnparsedHttpEvent = JsonObject & {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyRaw: string;
};

/** With `body` made of `bodyRaw`, in the place that it has in the event. */
export const withParsedBody = (event: UnparsedHttpEvent): JsonObject => ({
  ...event,
  body: parseBody(event.headers['content-type'], event.bodyRaw),
});

/** JSON, form fields, or the text itself when it is neither or nested too deep. A missing content type is taken by what the text looks like. */
function parseBody(contentType: string | undefined, text: string): Json {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return fields(formPairs(text));
  const boundary = type === 'multipart/form-data' ? boundaryOf(contentType ?? '') : undefined;
  if (boundary !== undefined) return fields(parts(text, boundary));
  const json = type === '' ? /^\s*[[{]/.test(text) : /^[^/]+\/(?:.+\+)?json$/.test(type);
  return json ? parseJson(text) : text;
}

function parseJson(text: string): Json {
  if (isTextNestedTooDeep(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** A name that comes twice has all its values. */
function fields(pairs: readonly (readonly [string, string])[]): Json {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]));
}

function boundaryOf(contentType: string): string | undefined {
  const match = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/** Text fields of a multipart form; files stay in `bodyRaw` only. */
function parts(text: string, boundary: string): (readonly [string, string])[] {
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1);
  return pieces.flatMap((piece) => {
    const [head = '', body] = piece.split(/\r\n\r\n(.*)/s);
    const name = /^content-disposition:[^\n]*?;\s*name="([^"]*)"/im.exec(head)?.[1];
    const isFile = /^content-disposition:[^\n]*?;\s*filename\*?=/im.test(head);
    return name === undefined || body === undefined || isFile ? [] : [[name, body] as const];
  });
}
