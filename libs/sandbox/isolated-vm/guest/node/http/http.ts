// Node's http and https, as far as clients need them.
import { Writable } from 'readable-stream';
import { Headers } from '../../fetch/headers.ts';
import { Agent, HttpsAgent } from './agent.ts';
import { ClientRequest } from './client-request.ts';
import { IncomingMessage } from './incoming-message.ts';
import { methods, statusTexts } from './http-names.ts';

class OutgoingMessage extends Writable {}
class Server {}
class ServerResponse extends OutgoingMessage {}

function createServer(): never {
  const message = 'Servers are not available to components: a prop of type $.interface.http is an endpoint';
  throw Object.assign(new Error(message), { code: 'ERR_NOT_AVAILABLE' });
}

/** Both throw for what HTTP does not allow. */
const validateHeaderName = (name: unknown): void => new Headers().append(name, '');
const validateHeaderValue = (name: unknown, value: unknown): void => new Headers().append(name, value);

const shared = { IncomingMessage, OutgoingMessage, ClientRequest, Server, ServerResponse, createServer };

function clientFor(protocol: string): object {
  const request = (...args: readonly unknown[]): ClientRequest => new ClientRequest(protocol, args);
  const get = (...args: readonly unknown[]): ClientRequest => {
    const asked = request(...args);
    asked.end();
    return asked;
  };
  return { request, get };
}

export const http = {
  ...shared,
  ...clientFor('http:'),
  Agent,
  globalAgent: new Agent(),
  METHODS: methods,
  STATUS_CODES: statusTexts,
  maxHeaderSize: 16_384,
  validateHeaderName,
  validateHeaderValue,
  setMaxIdleHTTPParsers: (): void => {},
};

export const https = {
  ...shared,
  ...clientFor('https:'),
  Agent: HttpsAgent,
  globalAgent: new HttpsAgent(),
};
