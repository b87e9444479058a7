// fetch: the host makes the request; this file turns its answer into a Response whose body is read as it arrives.
import { ReadableStream } from 'web-streams-polyfill';
import { Buffer } from '../encoding/buffer.ts';
import { currentCall } from '../core/calls.ts';
import { ask } from './exchange.ts';
import type { AnswerHead, FetchExchange } from './exchange.ts';
import { Request } from './request.ts';
import type { RequestInit } from './request.ts';
import { Response } from './response.ts';

const withoutBody = new Set([204, 205, 304]);

/** In undici's words, with the reason in the same line: a run record shows no cause. */
function failed(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause.name === 'LimitError' || !('code' in cause)) return cause;
  return new TypeError(`fetch failed: ${cause.message}`, { cause });
}

/** Pulled from the host when it is read. */
function streamOf(exchange: FetchExchange): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await exchange.read();
          if (bytes === undefined) controller.close();
          else controller.enqueue(bytes);
        } catch (error) {
          controller.error(failed(error));
        }
      },
      cancel(reason) {
        exchange.abort(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function responseOf(method: string, head: AnswerHead, exchange: FetchExchange): Response {
  const { status, statusText, headers, url, redirected } = head;
  const hasBody = method !== 'HEAD' && !withoutBody.has(status);
  return Response.of(hasBody ? streamOf(exchange) : null, { status, statusText, headers }, { url, redirected });
}

/** `data:` URLs contain their answer. */
function dataResponse(url: string): Response {
  const [, type = '', isBase64, data = ''] = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(url) ?? [];
  const text = decodeURIComponent(data);
  const body = isBase64 === undefined ? text : Buffer.from(text, 'base64');
  return Response.of(
    body,
    { headers: { 'content-type': type || 'text/plain;charset=US-ASCII' } },
    { url, redirected: false },
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
  const unset = (name: string, value: string): void => void (headers.has(name) || fields.push([name, value]));
  unset('accept', '*/*');
  unset('accept-encoding', 'gzip, deflate, br');
  unset('user-agent', 'wellspring');
  const exchange = ask({ method, url, headers: fields, body: bytes, redirect }, call);
  const abort = (): void => exchange.abort(signal.reason);
  signal.addEventListener('abort', abort);
  exchange.onOver = () => signal.removeEventListener('abort', abort);
  try {
    return responseOf(method, await exchange.answered, exchange);
  } catch (error) {
    // An answer that cannot become a Response has no reader.
    exchange.abort(error);
    throw signal.aborted ? signal.reason : failed(error);
  }
}
