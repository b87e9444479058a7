// Endpoints take any content type, also what is none: the framework, which refuses those, is shown another.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const sent = Symbol('content-type as it was sent');

interface Hidden {
  [sent]?: { readonly type: string | undefined };
}

/** Of the methods with a body only this one must say a type, so it is shown one even where there is none. */
const typedMethod = 'QUERY';

/** Before the body is read. */
export function hideContentType(message: IncomingMessage): void {
  const { headers, method } = message;
  const type = headers['content-type'];
  if (type === undefined && method !== typedMethod) return;
  (message as Hidden)[sent] = { type };
  headers['content-type'] = 'application/octet-stream';
}

/** The headers with the content type as the client sent it. */
export function headersAsSent(message: IncomingMessage): IncomingHttpHeaders {
  const hidden = (message as Hidden)[sent];
  if (hidden?.type !== undefined) message.headers['content-type'] = hidden.type;
  else if (hidden !== undefined) delete message.headers['content-type'];
  return message.headers;
}
