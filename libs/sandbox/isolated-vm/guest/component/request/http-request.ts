// The value of a prop of type `http_request`: the configured request, and `execute()`, which sends it by fetch.
import { readRequest, valueText } from '../../../../../domain/component/props/http-request/configured-request.ts';
import type {
  ConfiguredRequest,
  RequestAuth,
  RequestBody,
} from '../../../../../domain/component/props/http-request/configured-request.ts';
import type { Json } from '../../../../../domain/json.ts';
import { fetch } from '../../fetch/fetch.ts';
import { FormData } from '../../fetch/form-data.ts';
import { Headers } from '../../fetch/headers.ts';
import type { Response } from '../../fetch/response.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { URL, URLSearchParams } from '../../web/url.ts';

/** In the shape of axios responses, which components expect. */
interface RequestResult {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON, otherwise text. */
  readonly data: unknown;
  readonly config: { readonly method: string; readonly url: string };
}

/** Undefined stays undefined: an optional prop that was not set. */
export function httpRequestOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, execute: () => execute(value as Json) };
}

async function execute(value: Json): Promise<RequestResult> {
  const read = readRequest(value);
  if ('problem' in read) throw new TypeError(`The request ${read.problem}`);
  const { request } = read;
  const { method } = request;
  const url = urlOf(request);
  const response = await fetch(url, { method, headers: headersOf(request), body: bodyOf(request.body) });
  const result = await resultOf(response, { method, url });
  if (response.ok) return result;
  const { status } = result;
  const error = Object.assign(new Error(`Request failed with status code ${status}`), { status, response: result });
  error.name = 'HttpRequestError';
  throw error;
}

function urlOf({ url: text, params }: ConfiguredRequest): string {
  const url = new URL(text);
  for (const param of params) url.searchParams.append(param.name, valueText(param));
  return url.href;
}

/** A configured header overrides one that follows from body or auth. */
function headersOf({ headers: configured, body, auth }: ConfiguredRequest): Headers {
  const headers = new Headers();
  for (const header of configured) headers.append(header.name, valueText(header));
  // FormData sets its own content type, with the boundary.
  if (body !== null && !isMultipart(body) && !headers.has('content-type'))
    headers.set('content-type', body.contentType);
  if (auth !== null && !headers.has('authorization')) headers.set('authorization', authorizationOf(auth));
  return headers;
}

const authorizationOf = (auth: RequestAuth): string =>
  auth.kind === 'bearer'
    ? `Bearer ${auth.token}`
    : `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`;

const isMultipart = ({ kind, contentType }: RequestBody): boolean =>
  kind === 'fields' && contentType.startsWith('multipart/form-data');

function bodyOf(body: RequestBody | null): string | FormData | null {
  if (body === null) return null;
  if (body.kind === 'raw') return body.text;
  const { fields, contentType } = body;
  if (isMultipart(body)) {
    const form = new FormData();
    for (const field of fields) form.append(field.name, valueText(field));
    return form;
  }
  if (!contentType.startsWith('application/x-www-form-urlencoded'))
    return JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value])));
  const params = new URLSearchParams();
  for (const field of fields) params.append(field.name, valueText(field));
  return params.toString();
}

async function resultOf(response: Response, config: RequestResult['config']): Promise<RequestResult> {
  const { status, statusText } = response;
  const text = await response.text();
  return { status, statusText, headers: Object.fromEntries(response.headers), data: parseData(text), config };
}

/** Ignores the content type, because many servers send none. */
function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
