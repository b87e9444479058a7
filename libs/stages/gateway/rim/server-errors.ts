// What is refused before any route is known: bytes that are no HTTP, and paths that the router cannot read.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblem } from './api-problem.ts';
import { internalProblem, problemOf } from './problem-of.ts';

const json = 'application/json; charset=utf-8';

/** A malformed URL, or a path parameter longer than any id. */
export function answerFrameworkError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error) ?? internalProblem();
  void reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', json)
    .send(JSON.stringify(problem.body()));
}

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
