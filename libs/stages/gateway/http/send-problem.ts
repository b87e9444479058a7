// Sends a refusal such that even a client that is still sending its body receives it.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ApiProblem } from './api-problem.ts';

/** How long the answer waits for the rest of a body if the connection is to be closed after it. */
const discardMs = 5_000;

/**
 * Closing a connection while its client sends would reset it and lose the answer. So the connection stays open, and the
 * rest of the body is read and discarded; if the client wants the connection closed, the answer waits for that rest.
 */
export function sendProblem(
  reply: FastifyReply,
  problem: ApiProblem,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  const { raw } = reply.request;
  const send = (): void => {
    if (reply.sent) return;
    if (reply.raw.shouldKeepAlive) void reply.removeHeader('connection');
    else void reply.header('connection', 'close');
    void reply
      .code(problem.status)
      .headers({ ...headers, ...problem.headers })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(problem.body()));
  };
  if (raw.complete || raw.readableEnded || reply.raw.shouldKeepAlive) send();
  else afterBody(raw, send);
  raw.resume();
  return reply;
}

function afterBody(message: IncomingMessage, then: () => void): void {
  const timer = setTimeout(then, discardMs);
  message.once('close', () => clearTimeout(timer)).once('end', then);
}
