// Sends a refusal so that the client gets to see it, even one that is still sending what is refused.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ApiProblem } from './api-problem.ts';

/** How long the rest of a body is awaited when the connection closes with the answer. */
const discardMs = 5_000;

/**
 * A connection that closes while its client sends is reset, and the answer lost with it. So it stays open, and what
 * still comes is read and discarded; only where the client wants it closed, the answer waits for the rest.
 */
export function sendProblem(
  reply: FastifyReply,
  problem: ApiProblem,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  const { raw } = reply.request;
  const send = (): void => {
    if (reply.sent) return;
    void reply
      .removeHeader('connection')
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
