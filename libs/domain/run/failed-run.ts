// What channel `$errors` says of a failed run: the event it was given, without its secrets and within a bound, and its error.
import { withParsedBody, type UnparsedHttpEvent } from '../component/http/parsed-body.ts';
import type { HttpRequestData } from '../component/http/request-data.ts';
import type { ComponentError } from '../component/output.ts';
import { isNestedTooDeep } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { secretMask } from '../secrets/mask.ts';
import { sizes } from '../sizes.ts';
import type { EmitCall } from '../component/emit-call.ts';

/** The channel; names that begin with `$` are the service's. */
export const errorsChannel = '$errors';
/** Size of a body, or of an event without a body: enough to understand a failure, and cheap enough to mask. */
const originalBytesMax = 64 * 1024;

/** A run's event, as far as it may be on the log beside the run's error. */
export interface Original {
  readonly event: Json;
  /** Names of the parts left out, for their size or because the request asked to keep nothing. */
  readonly omitted: readonly string[];
  /** The secrets to mask. */
  readonly secrets: readonly string[];
}

/** What the report of a failed run needs beside the run's event, its secrets and its error. */
export interface Telling {
  readonly runId: string;
  /** An upper bound of the event's JSON text, if the event is not a request. */
  readonly bytes: number;
  /** For a request: the names of headers that the trigger holds in clear, and whether anything of its body is kept. */
  readonly request?: { readonly clearHeaders: readonly string[]; readonly isKept: boolean };
}

/** The report's data for a trigger's run. */
export function tellingOf(runId: string, http: HttpRequestData | undefined, bytes: number): Telling {
  if (http === undefined) return { runId, bytes };
  return { runId, bytes, request: { clearHeaders: Object.keys(http.headers), isKept: http.sealedBody === undefined } };
}

/** The original for a run's event. */
export function originalOf({ request, bytes }: Telling, event: Json, secrets: readonly string[]): Original {
  if (request === undefined) return originalEvent(event, bytes, secrets);
  return originalRequest(request, event as UnparsedHttpEvent, secrets);
}

/** `event` as `run` gets it, with headers that the trigger holds sealed in clear. */
function originalRequest(
  { clearHeaders, isKept: mayBeKept }: NonNullable<Telling['request']>,
  event: UnparsedHttpEvent,
  secrets: readonly string[],
): Original {
  const names = new Set(clearHeaders);
  const isClear = (name: string): boolean => names.has(name);
  const shown = Object.entries(event.headers).map(([name, value]) => [name, isClear(name) ? value : '[secret]']);
  const clear: UnparsedHttpEvent = { ...event, headers: Object.fromEntries(shown) as Record<string, string> };
  const isKept = mayBeKept && Buffer.byteLength(event.bodyBase64 ?? event.bodyRaw) <= originalBytesMax;
  if (isKept) return { event: withParsedBody(clear), omitted: [], secrets };
  const { body: _body, bodyRaw: _bodyRaw, bodyBase64: _bodyBase64, ...rest } = clear as JsonObject;
  return { event: rest, omitted: ['body', 'bodyRaw'], secrets };
}

/** The original of any other event; `bytes` is an upper bound of its JSON text. */
function originalEvent(event: Json, bytes: number, secrets: readonly string[]): Original {
  if (bytes <= originalBytesMax) return { event, omitted: [], secrets };
  const isObject = typeof event === 'object' && event !== null && !Array.isArray(event);
  const { body, bodyRaw, ...rest } = (isObject ? event : {}) as JsonObject;
  const omitted = Object.entries({ body, bodyRaw }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const isSmall = omitted.length > 0 && Buffer.byteLength(JSON.stringify(rest)) <= originalBytesMax;
  return isSmall ? { event: rest, omitted, secrets } : { event: null, omitted: ['original_event'], secrets };
}

export interface Report {
  readonly emit: EmitCall;
  /** Of its JSON text. */
  readonly bytes: number;
}

/** `error` is masked already. A report larger than `bytesMax`, or nested too deep, leaves the event out. */
export function errorsReport(
  { event, omitted, secrets }: Original,
  failed: { readonly runId: string; readonly error: ComponentError },
  bytesMax: number = sizes.emitBytes,
): Report {
  const { name, message, stack = `${name}: ${message}` } = failed.error;
  const told = { error: { name, message, stack }, run_id: failed.runId };
  const marked = omitted.length === 0 ? {} : { omitted };
  const whole: Json = { original_event: masked(event, secretMask(secrets)), ...told, ...marked };
  const bytes = Buffer.byteLength(JSON.stringify(whole));
  if (bytes <= bytesMax && !isNestedTooDeep(whole)) return { emit: { event: whole, channel: errorsChannel }, bytes };
  const short: Json = { original_event: null, ...told, omitted: ['original_event'] };
  return { emit: { event: short, channel: errorsChannel }, bytes: Buffer.byteLength(JSON.stringify(short)) };
}

/** Masks every text in it, names too, to the depth that an event may have. */
function masked(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => masked(one, mask));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), masked(one, mask)]));
}
