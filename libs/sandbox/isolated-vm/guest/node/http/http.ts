// Node's http and https, as far as clients need them.
import { Writable } from 'readable-stream';
import { Agent, HttpsAgent } from './agent.ts';
import { ClientRequest } from './client-request.ts';
import { IncomingMessage } from './incoming-message.ts';

const methods = 'DELETE GET HEAD OPTIONS PATCH POST PUT'.split(' ');

const statusTexts = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

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
};

export const https = {
  ...shared,
  ...clientFor('https:'),
  Agent: HttpsAgent,
  globalAgent: new HttpsAgent(),
};
