// The status and the header fields of a response, made plain: what HTTP cannot carry is left out.
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

/** As JSON; the host accepts a little more. HTTP clients accept a quarter of it (Node: 16 KiB). */
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

/** As JSON; undefined: HTTP has no such value, which might even begin another header. */
function valueText(value: unknown): string | undefined {
  const text = toText(value);
  return regExpExec(headerValue, text) ? jsonStringify(text) : undefined;
}

/** Undefined when no value is left. */
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
  /** The inside of a JSON object without malformed fields. */
  readonly text: string;
  /** The component has named a content type. */
  readonly typed: boolean;
}

/** Headers of the web, such as those of an answer that is passed on, have no fields of their own, only pairs. */
function fieldsOf(headers: object): Record<string, unknown> {
  if (!(Symbol.iterator in headers)) return headers as Record<string, unknown>;
  const fields = objectCreate(null);
  // Of each name that came again, the list made here: those that the component has made stay as they are.
  const lists = objectCreate(null) as Record<string, unknown[]>;
  for (const pair of headers as Iterable<unknown>) {
    if (!isArray(pair)) continue;
    const name = toText(pair[0]);
    const list = lists[name];
    const former = fields[name];
    if (list !== undefined) list[list.length] = pair[1];
    else if (former === undefined) fields[name] = pair[1];
    else fields[name] = lists[name] = isArray(former) ? [...former, pair[1]] : [former, pair[1]];
  }
  return fields;
}

export function headersOf(headers: unknown): HeaderFields {
  let text = '';
  let typed = false;
  if (typeof headers !== 'object' || headers === null) return { text, typed };
  const fields = fieldsOf(headers);
  const names = objectKeys(fields);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const value = fields[name];
    if (value === undefined || value === null || !regExpExec(headerName, name)) continue;
    const values = valuesText(value);
    if (values === undefined) continue;
    typed ||= stringToLowerCase(name) === 'content-type';
    text += `${text ? ',' : ''}${jsonStringify(name)}:${values}`;
  }
  if (text.length > headersMax)
    throw new LimitError(`http.respond: the headers have ${text.length} characters, ${headersMax} are allowed`);
  return { text, typed };
}
