// What holds for every connection, whatever is sent on it: how many there are, and an answer in the API's own shape.
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiProblem, invalidRequest } from './api-problem.ts';

/** Each may hold a body of 2 MiB and costs a file handle; beyond it new ones are closed, and those that are open go on. */
const connectionsMax = 10_000;

const json = 'application/json; charset=utf-8';

/** What Node would answer without a body is answered here; the server must be made with `requireHostHeader: false`. */
export function guardConnections(fastify: FastifyInstance): void {
  const server = fastify.server as Server;
  server.maxConnections = connectionsMax;
  server.on('checkExpectation', (_request, response) => {
    const { status, ...problem } = unmet();
    response.writeHead(status, { 'content-type': json }).end(JSON.stringify(problem));
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, headers } = request.raw;
    done(
      headers.host === undefined && httpVersion === '1.1' ? invalidRequest('The header Host is missing.') : undefined,
    );
  });
}

const unmet = () => ({ status: 417, error: 'Only Expect: 100-continue is known.', code: 'invalid_request' });

/** What Node's parser refuses; there is no request then, only the connection, which ends. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = unreadable(error.code);
  const body = JSON.stringify(problem.body());
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `content-type: ${json}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function unreadable(code: string | undefined): ApiProblem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiProblem(408, 'request_timeout', 'The request took too long.');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiProblem(431, 'too_large', 'The headers are too large.');
  return new ApiProblem(400, 'invalid_request', 'This is not an HTTP request.');
}
