// Endpoints take any content type, also what is none: the framework, which refuses those, is shown another.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const sent = Symbol('content-type as it was sent');

interface Hidden {
  [sent]?: string | undefined;
}

/** Before the body is read. */
export function hideContentType(message: IncomingMessage): void {
  const { headers } = message;
  const type = headers['content-type'];
  if (type === undefined) return;
  (message as Hidden)[sent] = type;
  headers['content-type'] = 'application/octet-stream';
}

/** The headers with the content type as the client sent it. */
export function headersAsSent(message: IncomingMessage): IncomingHttpHeaders {
  const type = (message as Hidden)[sent];
  if (type !== undefined) message.headers['content-type'] = type;
  return message.headers;
}
