// How the HTTP server ends: what is under way is answered, and no connection that a client keeps holds anything up.
import type { FastifyInstance } from 'fastify';
import { inTime } from '../../primitives/time-limit.ts';

/** Requests in progress when the process is asked to end have this long to finish. */
const answersMs = 1_000;

/** To be called before the routes are made. Gives what ends the server, of which `close` takes no new connection. */
export function lastAnswers(fastify: FastifyInstance): (close: () => Promise<void>) => Promise<void> {
  let isLast = false;
  // Without it a client would keep the connection of its answer, and the server would wait for that to end.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isLast) reply.header('connection', 'close');
    done(null, payload);
  });
  return async (close) => {
    isLast = true;
    await inTime(close(), answersMs);
    fastify.server.closeAllConnections();
  };
}
