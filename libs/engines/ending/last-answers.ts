// How the HTTP server ends: what is under way is answered, and no connection that a client keeps holds anything up.
import type { FastifyInstance } from 'fastify';
import { inTime } from '../../primitives/time-limit.ts';

/** Requests in progress when the process is asked to end have this long to finish. */
const answersMs = 1_000;

/** Refusals of those that have not finished by then need no more. */
const refusalsMs = 200;

export interface ServerEnd {
  /** Takes no new connection; resolves when the last one has ended. */
  readonly close: () => Promise<void>;
  /** Has the requests refused that still wait. */
  readonly refuse: () => Promise<unknown>;
}

/** To be called before the routes are made. Gives what ends the server. */
export function lastAnswers(fastify: FastifyInstance): (end: ServerEnd) => Promise<void> {
  let isLast = false;
  // Without it a client would keep the connection of its answer, and the server would wait for that to end.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isLast) reply.header('connection', 'close');
    done(null, payload);
  });
  return async ({ close, refuse }) => {
    isLast = true;
    const closed = close();
    await inTime(closed, answersMs);
    await refuse();
    await inTime(closed, refusalsMs);
    fastify.server.closeAllConnections();
  };
}
