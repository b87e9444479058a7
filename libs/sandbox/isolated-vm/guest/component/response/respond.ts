// http.respond: normalizes status, headers and body from the forms that components use, and sends them to the host.
import { toHost, send } from '../../core/bridge.ts';
import type { Call } from '../../core/calls.ts';
import { LimitError, limits } from '../../core/guest-limits.ts';
import { jsonStringify, promiseThen, resolvedPromise } from '../../core/primordials.ts';
import { bodyOf, bodyOfStream, streamOf } from './body.ts';
import type { Body } from './body.ts';
import { headersOf, statusOf } from './head.ts';
import type { HeaderFields } from './head.ts';

interface Response {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderFields;
}

function sendResponse(call: Call, { status, headers }: ResponseHead, body: Body): void {
  const { responseBodyBytes, resultBytesMax } = limits();
  if (body.bytes > responseBodyBytes)
    throw new LimitError(`http.respond: the body has ${body.bytes} bytes, ${responseBodyBytes} are allowed`);
  const base64Bytes = ((body.bytes + 2) / 3) * 4;
  if (base64Bytes + call.emittedBytes > resultBytesMax)
    throw new LimitError(`http.respond: one run may emit and respond ${resultBytesMax} bytes`);
  call.responded = true;
  call.responding = undefined;
  call.respondedBytes = base64Bytes;
  const needsNoType = body.type === undefined || headers.hasContentType;
  const type = needsNoType ? '' : `${headers.text ? ',' : ''}"content-type":${jsonStringify(body.type)}`;
  send(
    toHost.respond,
    call.id,
    `{"status":${status},"encoding":"${body.encoding}","headers":{${headers.text}${type}}}`,
    body.text,
  );
}

/** If the stream fails, the component can still send another response. */
async function readAndSend(call: Call, head: ResponseHead, stream: AsyncIterable<unknown>): Promise<void> {
  try {
    sendResponse(call, head, await bodyOfStream(stream));
  } catch (error) {
    call.responded = false;
    throw error;
  }
}

/** Sends the run's first response and ignores the others, which have no recipient. */
export function respond(call: Call, response: unknown): Promise<void> {
  if (call.responded) return resolvedPromise();
  const fields: Response = typeof response === 'object' && response !== null ? response : {};
  const head = { status: statusOf(fields.status), headers: headersOf(fields.headers) };
  const stream = streamOf(fields.body);
  if (stream === undefined) {
    sendResponse(call, head, bodyOf(fields.body));
    return resolvedPromise();
  }
  call.responded = true;
  const responding = readAndSend(call, head, stream);
  call.responding = responding;
  // The run awaits `responding` and fails with it, so a rejection that the component ignores must not be unhandled.
  promiseThen(responding, undefined, () => {});
  return responding;
}
