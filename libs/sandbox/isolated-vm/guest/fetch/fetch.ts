// fetch: sends the request through the host and returns a Response whose body can be read while it arrives.
import { ReadableStream } from 'web-streams-polyfill';
import { Buffer } from '../encoding/buffer.ts';
import type { AbortSignal } from '../web/event-target.ts';
import { currentCall } from '../core/calls.ts';
import type { Call } from '../core/calls.ts';
import { beginExchange } from './exchange.ts';
import type { ResponseHead, OutgoingRequest, FetchExchange } from './exchange.ts';
import { Request } from './request.ts';
import type { RequestInit } from './request.ts';
import { Response } from './response.ts';

const bodylessStatuses = new Set([204, 205, 304]);

/** In undici's words, with the cause in the message, because a run record shows no cause. An abort's reason is kept. */
function fetchError(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && cause === signal.reason) return cause;
  if (!(cause instanceof Error) || !('code' in cause)) return cause;
  return new TypeError(`fetch failed: ${cause.message}`, { cause });
}

function beginRequest(request: OutgoingRequest, call: Call | undefined, signal: AbortSignal): FetchExchange {
  try {
    return beginExchange(request, call);
  } catch (error) {
    throw fetchError(error, signal);
  }
}

/** A stream that requests parts from the host when it is read. */
function streamOf(exchange: FetchExchange, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await exchange.read();
          if (bytes === undefined) controller.close();
          else controller.enqueue(bytes);
        } catch (error) {
          controller.error(fetchError(error, signal));
        }
      },
      cancel(reason) {
        exchange.abort(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function responseOf({ method, signal }: Request, head: ResponseHead, exchange: FetchExchange): Response {
  const { status, statusText, headers, url, redirected } = head;
  const hasBody = method !== 'HEAD' && !bodylessStatuses.has(status);
  return Response.of(
    hasBody ? streamOf(exchange, signal) : null,
    { status, statusText, headers },
    { url, redirected, type: 'basic' },
  );
}

/** The response of a `data:` URL, which contains its own content. */
function dataResponse(url: string): Response {
  const [, type = '', isBase64, data = ''] = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(url) ?? [];
  const text = decodeURIComponent(data);
  const body = isBase64 === undefined ? text : Buffer.from(text, 'base64');
  return Response.of(
    body,
    { headers: { 'content-type': type || 'text/plain;charset=US-ASCII' } },
    { url, redirected: false, type: 'basic' },
  );
}

export async function fetch(input: unknown, init?: RequestInit): Promise<Response> {
  const call = currentCall();
  const request = new Request(input, init);
  const { method, url, headers, redirect, signal } = request;
  signal.throwIfAborted();
  if (url.startsWith('data:')) return dataResponse(url);
  const bytes = await Request.bodyOf(request);
  signal.throwIfAborted();
  const fields = [...headers];
  const setDefault = (name: string, value: string): void => void (headers.has(name) || fields.push([name, value]));
  setDefault('accept', '*/*');
  setDefault('accept-encoding', 'gzip, deflate, br');
  setDefault('user-agent', 'wellspring');
  const exchange = beginRequest({ method, url, headers: fields, body: bytes, redirect }, call, signal);
  const abort = (): void => exchange.abort(signal.reason);
  signal.addEventListener('abort', abort);
  exchange.onClosed = () => signal.removeEventListener('abort', abort);
  try {
    return responseOf(request, await exchange.responseHead, exchange);
  } catch (error) {
    // If the answer cannot become a Response, nothing will read it.
    exchange.abort(error);
    throw signal.aborted ? signal.reason : fetchError(error, signal);
  }
}
