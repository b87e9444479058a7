// Answers bytes that Node cannot parse as a request: writes the answer directly to the connection, and closes it.
import { METHODS, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import { answerHeaders } from '../http/answer-headers.ts';
import { originForm } from '../http/request-target.ts';
import type { RouteTable } from './route-table.ts';

/** Why Node's parser gave up, and what it was reading. */
export interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const nodeMethods: ReadonlySet<string> = new Set(METHODS);
/** The longest request line: as much as Node accepts for the request line and all headers. */
const lineBytesMax = 16 * 1024;
/** A client that neither reads nor leaves is disconnected after this time. */
const lingerMs = 2_000;

export function answerClientError(routes: RouteTable, error: ClientError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else sendAndClose(socket, parserProblem(routes, error));
}

export function sendAndClose(socket: Duplex, problem: ApiProblem): void {
  const body = JSON.stringify(problem.body());
  const headers = {
    ...answerHeaders,
    ...problem.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer)).on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function parserProblem(routes: RouteTable, { code, rawPacket }: ClientError): ApiProblem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiProblem(408, 'request_timeout', 'The request took too long.');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiProblem(431, 'too_large', 'The headers are too large.');
  const unknownMethod = code === 'HPE_INVALID_METHOD' ? unknownMethodProblem(routes, rawPacket) : undefined;
  return unknownMethod ?? new ApiProblem(400, 'invalid_request', 'This is not an HTTP request.');
}

/** The refusal for a valid request line whose method is unknown to Node. */
function unknownMethodProblem(routes: RouteTable, packet: Buffer | undefined): ApiProblem | undefined {
  const [line = ''] = packet?.subarray(0, lineBytesMax).toString('latin1').split('\r\n', 1) ?? [];
  const [, method = '', url = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? [];
  if (url === '' || nodeMethods.has(method)) return undefined;
  return routes.methodNotAllowed(originForm({ url })) ?? notFound();
}
