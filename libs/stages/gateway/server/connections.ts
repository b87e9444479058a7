// Rules for every connection: how many may be open, and answers in the API's shape instead of Node's.
import type { IncomingMessage, Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Admission } from '../admission/admission.ts';
import { ApiProblem, invalidRequest, notFound, stoppingProblem } from '../http/api-problem.ts';
import { answerHeaders } from '../http/answer-headers.ts';
import { limitPipelining } from './answers/pipelining.ts';
import { answerClientError, sendAndClose } from './client-error.ts';
import type { ClientError } from './client-error.ts';
import { repeatedHeader } from './repeated-header.ts';
import type { RouteTable } from './route-table.ts';
import type { ConsolePages } from '../console/console-pages.ts';

/** Each costs a file handle, and `BodyBudget` bounds their bodies; further ones are closed at once, open ones stay. */
const connectionsMax = 10_000;

const json = 'application/json; charset=utf-8';
const unmetExpectation = { error: 'Only Expect: 100-continue is known.', code: 'invalid_request' };

const hostOnly: ReadonlySet<string> = new Set(['host']);

/**
 * Answers what Node would answer without a body, and rejects requests without a route before their body is read.
 * The server must be created with `requireHostHeader: false`.
 */
export function guardConnections(fastify: FastifyInstance, routes: RouteTable): void {
  const server = fastify.server as Server;
  server.maxConnections = connectionsMax;
  server.removeAllListeners('clientError');
  server.on('clientError', (error: ClientError, socket) => answerClientError(routes, error, socket));
  server.on('connect', (_request, socket) => sendAndClose(socket, notFound()));
  server.on('checkExpectation', (_request, response) => {
    const body = JSON.stringify(unmetExpectation);
    response.writeHead(417, { ...answerHeaders, 'content-type': json, 'content-length': body.length }).end(body);
  });
  limitPipelining(server);
  delayContinue(fastify, server);
  let isStopping = false;
  fastify.addHook('preClose', async () => void (isStopping = true));
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(answerHeaders);
    if (!isStopping) return done(hostProblem(request.raw) ?? transferProblem(request.raw));
    // Otherwise a busy client would send until its connection is cut, and not know the outcome of its last request.
    reply.raw.shouldKeepAlive = false;
    done(stoppingProblem());
  });
}

interface UnroutedOptions {
  readonly routes: RouteTable;
  readonly pages: ConsolePages;
  readonly admission: Admission;
}

/** Must be called after all other checks: rejects requests without a route, unless the console answers them. */
export function answerUnrouted(fastify: FastifyInstance, { routes, pages, admission }: UnroutedOptions): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined;
    const isPage = pages.canAnswer(request);
    await admission.waitForAnonymousTurn(request.raw, isPage ? 'console' : 'refused');
    const methodProblem = routes.methodNotAllowed(request.url);
    if (!isPage || methodProblem !== undefined) throw methodProblem ?? routes.refusalOf(request.url);
    pages.answer(request, reply);
    return reply;
  });
}

/** A client that asks before it sends its body (`Expect: 100-continue`) is told to continue only once admitted. */
function delayContinue(fastify: FastifyInstance, server: Server): void {
  const awaitingContinue = new WeakSet<IncomingMessage>();
  server.on('checkContinue', (message, response) => {
    awaitingContinue.add(message);
    server.emit('request', message, response);
  });
  fastify.addHook('preParsing', (request, reply, _body, done) => {
    if (awaitingContinue.delete(request.raw)) reply.raw.writeContinue();
    done();
  });
}

function hostProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiProblem | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.1' ? invalidRequest('The header Host is missing.') : undefined;
  }
  const isRepeated = repeatedHeader(rawHeaders, hostOnly) !== undefined;
  return isRepeated ? invalidRequest('The header Host is given more than once.') : undefined;
}

/** Node undoes `chunked` alone, so the body of any other transfer coding would be taken as it was coded. */
function transferProblem({ headers }: IncomingMessage): ApiProblem | undefined {
  const codings = headers['transfer-encoding'];
  if (codings === undefined || codings.toLowerCase() === 'chunked') return undefined;
  return new ApiProblem(501, 'not_implemented', 'The only transfer coding that is understood is chunked.');
}
