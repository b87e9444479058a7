// Node's http and https modules, as far as clients need them.
import { Writable } from 'readable-stream';
import { Agent, HttpsAgent } from './agent.ts';
import { ClientRequest } from './client-request.ts';
import { IncomingMessage } from './incoming-message.ts';
import { methods, statusTexts } from './http-names.ts';

/** A header name is a token; a value has no control characters. */
const isToken = /^[\w!#$%&'*+.^`|~-]+$/;
const isControl = /[^\t\x20-\x7e\x80-\xff]/;

function validateHeaderName(name: unknown, label = 'Header name'): void {
  if (typeof name === 'string' && isToken.test(name)) return;
  const message = `${label} must be a valid HTTP token ["${String(name)}"]`;
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_HTTP_TOKEN' });
}

function validateHeaderValue(name: unknown, value: unknown): void {
  const codedTypeError = (code: string, message: string): Error => Object.assign(new TypeError(message), { code });
  if (value === undefined)
    throw codedTypeError('ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "undefined" for header "${String(name)}"`);
  if (isControl.test(String(value)))
    throw codedTypeError('ERR_INVALID_CHAR', `Invalid character in header content ["${String(name)}"]`);
}

class OutgoingMessage extends Writable {}
class Server {}
class ServerResponse extends OutgoingMessage {}

function createServer(): never {
  const message = 'Servers are not available to components: a prop of type $.interface.http is an endpoint';
  throw Object.assign(new Error(message), { code: 'ERR_NOT_AVAILABLE' });
}

const shared = { IncomingMessage, OutgoingMessage, ClientRequest, Server, ServerResponse, createServer };

function clientFor(protocol: string): object {
  const request = (...args: readonly unknown[]): ClientRequest => new ClientRequest(protocol, args);
  const get = (...args: readonly unknown[]): ClientRequest => {
    const clientRequest = request(...args);
    clientRequest.end();
    return clientRequest;
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
