// http.respond: status, headers and body in any of the forms that components use, made plain for the host.
import { toHost, send } from '../core/bridge.ts';
import type { Call } from '../core/calls.ts';
import { LimitError, limits } from '../core/guest-limits.ts';
import {
  isArray,
  isInteger,
  isView,
  jsonStringify,
  objectKeys,
  regExpExec,
  resolvedPromise,
  stringToLowerCase,
  toNumber,
  toText,
} from '../core/primordials.ts';
import { utf8Length } from '../core/text.ts';
import { viewOf } from '../crypto/bytes.ts';

interface Response {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** As JSON; the host accepts a little more. HTTP clients accept a quarter of it (Node: 16 KiB). */
const headersMax = 60 * 1024;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function statusOf(value: unknown): number {
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

/** As the inside of a JSON object without malformed headers, and whether the component has named a content type. */
function headersOf(headers: unknown): { text: string; typed: boolean } {
  let text = '';
  let typed = false;
  if (typeof headers !== 'object' || headers === null) return { text, typed };
  const names = objectKeys(headers);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const value = (headers as Record<string, unknown>)[name];
    if (value === undefined || value === null || !regExpExec(headerName, name)) continue;
    const values = valuesText(value);
    if (values === undefined) continue;
    typed ||= stringToLowerCase(name) === 'content-type';
    text += `${text ? ',' : ''}${jsonStringify(name)}:${values}`;
  }
  return { text, typed };
}

interface Body {
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  /** As they are sent. */
  readonly bytes: number;
  /** Used unless the component names another one. */
  readonly type?: 'application/json' | 'application/octet-stream';
}

const utf8Body = (text: string): Body => ({ text, encoding: 'utf8', bytes: utf8Length(text) });

function bodyOf(body: unknown): Body {
  if (body === undefined || body === null) return utf8Body('');
  if (isView(body) || body instanceof ArrayBuffer) {
    const bytes = viewOf(body);
    const text = bytes.toString('base64');
    return { text, encoding: 'base64', bytes: bytes.length, type: 'application/octet-stream' };
  }
  if (typeof body === 'object') return { ...utf8Body(jsonStringify(body) ?? ''), type: 'application/json' };
  return utf8Body(toText(body));
}

/** The first response counts; for any other of the run there is no recipient. */
export function respond(call: Call, response: unknown): Promise<void> {
  if (call.responded) return resolvedPromise();
  const given: Response = typeof response === 'object' && response !== null ? response : {};
  const status = statusOf(given.status);
  const headers = headersOf(given.headers);
  const body = bodyOf(given.body);
  const { responseBodyBytes, saidBytesMax } = limits();
  if (body.bytes > responseBodyBytes)
    throw new LimitError(`http.respond: the body has ${body.bytes} bytes, ${responseBodyBytes} are allowed`);
  if (headers.text.length > headersMax)
    throw new LimitError(`http.respond: the headers have ${headers.text.length} characters, ${headersMax} are allowed`);
  const base64Bytes = ((body.bytes + 2) / 3) * 4;
  if (base64Bytes + call.emittedBytes > saidBytesMax)
    throw new LimitError(`http.respond: one run may emit and respond ${saidBytesMax} bytes`);
  call.responded = true;
  call.respondedBytes = base64Bytes;
  const typed = body.type === undefined || headers.typed;
  const type = typed ? '' : `${headers.text ? ',' : ''}"content-type":"${body.type}"`;
  send(
    toHost.respond,
    call.id,
    `{"status":${status},"encoding":"${body.encoding}","headers":{${headers.text}${type}}}`,
    body.text,
  );
  return resolvedPromise();
}
