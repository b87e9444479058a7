// Normalizes the status and the headers of a response, and leaves out what HTTP cannot carry.
import { LimitError } from '../../core/guest-limits.ts';
import {
  isArray,
  isInteger,
  jsonStringify,
  objectCreate,
  objectKeys,
  regExpExec,
  stringToLowerCase,
  toNumber,
  toText,
} from '../../core/primordials.ts';

/** All headers as JSON; the host accepts slightly more. HTTP clients accept a quarter of it (Node: 16 KiB). */
const headersMax = 60 * 1024;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export function statusOf(value: unknown): number {
  if (value === undefined || value === null) return 200;
  const status = typeof value === 'string' ? toNumber(value) : value;
  if (typeof status !== 'number' || !isInteger(status) || status < 100 || status > 599) {
    throw new RangeError(`http.respond: status must be an integer from 100 to 599, not ${toText(value)}`);
  }
  return status;
}

/** As JSON; undefined: HTTP does not allow the value, which could even inject another header. */
function valueText(value: unknown): string | undefined {
  const text = toText(value);
  return regExpExec(headerValue, text) ? jsonStringify(text) : undefined;
}

/** Undefined if no value is valid. */
function valuesText(value: unknown): string | undefined {
  if (!isArray(value)) return valueText(value);
  let list = '';
  for (let at = 0; at < value.length; at++) {
    const text = valueText(value[at]);
    if (text !== undefined) list += `${list ? ',' : ''}${text}`;
  }
  return list ? `[${list}]` : undefined;
}

export interface HeaderFields {
  /** The inside of a JSON object; malformed headers are left out. */
  readonly text: string;
  /** Whether the component has set a content type. */
  readonly hasContentType: boolean;
}

/** Web Headers, such as those of a fetched response that is passed on, have no own fields and are read as pairs. */
function fieldsOf(headers: object): Record<string, unknown> {
  if (!(Symbol.iterator in headers)) return headers as Record<string, unknown>;
  const fields = objectCreate(null);
  // The lists made here for repeated names, so that lists of the component are never changed.
  const lists = objectCreate(null) as Record<string, unknown[]>;
  for (const pair of headers as Iterable<unknown>) {
    if (!isArray(pair)) continue;
    const name = toText(pair[0]);
    const list = lists[name];
    const previous = fields[name];
    if (list !== undefined) list[list.length] = pair[1];
    else if (previous === undefined) fields[name] = pair[1];
    else fields[name] = lists[name] = isArray(previous) ? [...previous, pair[1]] : [previous, pair[1]];
  }
  return fields;
}

export function headersOf(headers: unknown): HeaderFields {
  let text = '';
  let hasContentType = false;
  if (typeof headers !== 'object' || headers === null) return { text, hasContentType };
  const fields = fieldsOf(headers);
  const names = objectKeys(fields);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const value = fields[name];
    if (value === undefined || value === null || !regExpExec(headerName, name)) continue;
    const values = valuesText(value);
    if (values === undefined) continue;
    hasContentType ||= stringToLowerCase(name) === 'content-type';
    text += `${text ? ',' : ''}${jsonStringify(name)}:${values}`;
  }
  if (text.length > headersMax)
    throw new LimitError(`http.respond: the headers have ${text.length} characters, ${headersMax} are allowed`);
  return { text, hasContentType };
}
