// Lets endpoints accept any content type, even a malformed one: the framework would reject it, so it sees a valid one.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const sentType = Symbol('content-type as it was sent');

interface WithSentType {
  [sentType]?: { readonly type: string | undefined };
}

/** The only method with a body for which the framework requires a type: requests without one get a type, too. */
const typedMethod = 'QUERY';

/** Must be called before the body is read. */
export function hideContentType(message: IncomingMessage): void {
  const { headers, method } = message;
  const type = headers['content-type'];
  if (type === undefined && method !== typedMethod) return;
  (message as WithSentType)[sentType] = { type };
  headers['content-type'] = 'application/octet-stream';
}

/** The headers with the content type as the client sent it. */
export function headersAsSent(message: IncomingMessage): IncomingHttpHeaders {
  const hidden = (message as WithSentType)[sentType];
  if (hidden?.type !== undefined) message.headers['content-type'] = hidden.type;
  else if (hidden !== undefined) delete message.headers['content-type'];
  return message.headers;
}
