// Makes the event on channel `$errors` for a failed run: its error, and its event without secrets and within a bound.
import { withParsedBody, type UnparsedHttpEvent } from '../component/http/parsed-body.ts';
import type { HttpRequestData } from '../component/http/request-data.ts';
import type { ComponentError } from '../component/output.ts';
import { isJsonObject, isNestedTooDeep, isTextNestedTooDeep } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { secretMask } from '../secrets/mask.ts';
import { sizes } from '../sizes.ts';
import type { EmitCall } from '../component/emit-call.ts';

/** The channel; names that begin with `$` are reserved for the service. */
export const errorsChannel = '$errors';
/** The largest body as sent, or event without a body, that is reported: enough to see the cause, and cheap to mask. */
const originalBytesMax = 64 * 1024;

/** The part of a run's event that is allowed on the log next to the run's error. */
export interface OriginalEvent {
  readonly event: Json;
  /** Names of the parts left out, for their size or because the request asked to keep nothing. */
  readonly omitted: readonly string[];
  /** The secrets to mask. */
  readonly secrets: readonly string[];
}

/** Data for the report of a failed run besides the run's event, secrets and error. */
export interface FailureContext {
  readonly runId: string;
  /** An upper bound of the event's JSON text, if the event is not a request. */
  readonly bytes: number;
  /** For a request: the names of headers that the trigger holds in clear, and whether anything of its body is kept. */
  readonly request?: {
    readonly clearHeaders: readonly string[];
    readonly isKept: boolean;
    /** `run` gets only the body. */
    readonly onlyBody?: boolean;
  };
}

/** The trigger's request, and whether `run` gets only its body. */
interface RequestOptions {
  readonly http: HttpRequestData | undefined;
  readonly onlyBody?: boolean | undefined;
}

/** The report's data for a trigger's run. */
export function failureContextOf(
  runId: string,
  { http, onlyBody = false }: RequestOptions,
  bytes: number,
): FailureContext {
  if (http === undefined) return { runId, bytes };
  const request = { clearHeaders: Object.keys(http.headers), isKept: http.sealedBody === undefined, onlyBody };
  return { runId, bytes, request };
}

/** The reported original of a run's event. */
export function originalOf({ request, bytes }: FailureContext, event: Json, secrets: readonly string[]): OriginalEvent {
  if (request === undefined) return originalEvent(event, bytes, secrets);
  const http = event as UnparsedHttpEvent;
  const isKept = request.isKept && bodyBytes(http) <= originalBytesMax;
  if (request.onlyBody === true) return originalBody(http, isKept, secrets);
  const names = new Set(request.clearHeaders);
  const headers = Object.entries(http.headers).map(([name, value]) => [name, names.has(name) ? value : '[secret]']);
  return originalRequest({ ...http, headers: Object.fromEntries(headers) as Record<string, string> }, isKept, secrets);
}

/** The size of the body itself, not of its base64. */
const bodyBytes = ({ bodyRaw, bodyBase64 }: UnparsedHttpEvent): number =>
  bodyBase64 === undefined ? Buffer.byteLength(bodyRaw) : Buffer.byteLength(bodyBase64, 'base64');

/** `event` as `run` gets it, except that the headers are without secrets. */
function originalRequest(event: UnparsedHttpEvent, isKept: boolean, secrets: readonly string[]): OriginalEvent {
  if (!isKept) return { ...withoutBody(event), secrets };
  if (event.sentBase64 === undefined) return { event: withParsedBody(event), omitted: [], secrets };
  // In what is compressed, no secret can be masked.
  const { bodyBase64: _sent, ...masked } = withParsedBody(event);
  return { event: masked, omitted: ['bodyBase64'], secrets };
}

/** The body that `run` gets of an app's request; its text if it is not JSON, in which case `run` does not get it. */
function originalBody(event: UnparsedHttpEvent, isKept: boolean, secrets: readonly string[]): OriginalEvent {
  const { bodyRaw, bodyBase64 } = event;
  const text = bodyBase64 === undefined ? bodyRaw : Buffer.from(bodyBase64, 'base64').toString('utf8');
  if (!isKept || isTextNestedTooDeep(text)) return { event: null, omitted: ['original_event'], secrets };
  return { event: text === '' ? {} : jsonOrText(text), omitted: [], secrets };
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The original of any other event; `bytes` is an upper bound of its JSON text. */
function originalEvent(event: Json, bytes: number, secrets: readonly string[]): OriginalEvent {
  if (bytes <= originalBytesMax) return { event, omitted: [], secrets };
  const bodiless = withoutBody(isJsonObject(event) ? event : {});
  const isSmall = bodiless.omitted.length > 0 && Buffer.byteLength(JSON.stringify(bodiless.event)) <= originalBytesMax;
  return isSmall ? { ...bodiless, secrets } : { event: null, omitted: ['original_event'], secrets };
}

/** The event without its body; `omitted` names the fields that held it. */
function withoutBody({
  body,
  bodyRaw,
  bodyBase64,
  sentBase64 = bodyBase64,
  ...event
}: JsonObject): Omit<OriginalEvent, 'secrets'> {
  const bodyFields = Object.entries({ body, bodyRaw, bodyBase64: sentBase64 }).filter(
    ([, value]) => value !== undefined,
  );
  return { event, omitted: bodyFields.map(([name]) => name) };
}

export interface Report {
  readonly emit: EmitCall;
  /** The size of the event's JSON text. */
  readonly bytes: number;
}

/** `error` is masked already. If the report is larger than `bytesMax` or nested too deep, it leaves the event out. */
export function errorsReport(
  { event, omitted, secrets }: OriginalEvent,
  failure: { readonly runId: string; readonly error: ComponentError },
  bytesMax: number = sizes.emitBytes,
): Report {
  const { name, message, stack = `${name}: ${message}` } = failure.error;
  const errorFields = { error: { name, message, stack }, run_id: failure.runId };
  const omittedField = omitted.length === 0 ? {} : { omitted };
  const fullEvent: Json = { original_event: maskValue(event, secretMask(secrets)), ...errorFields, ...omittedField };
  const bytes = Buffer.byteLength(JSON.stringify(fullEvent));
  if (bytes <= bytesMax && !isNestedTooDeep(fullEvent))
    return { emit: { event: fullEvent, channel: errorsChannel }, bytes };
  const shortEvent: Json = { original_event: null, ...errorFields, omitted: ['original_event'] };
  return { emit: { event: shortEvent, channel: errorsChannel }, bytes: Buffer.byteLength(JSON.stringify(shortEvent)) };
}

/** Masks every text in the value, including names. Recursive: the depth of events is bounded. */
function maskValue(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => maskValue(one, mask));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), maskValue(one, mask)]));
}
