// Ends the HTTP server: requests in progress are answered, and connections that clients keep open do not delay the end.
import type { FastifyInstance } from 'fastify';
import { resolvesInTime } from '../../primitives/time-limit.ts';

/** Time limit of requests that are in progress when the process is asked to end. */
const answersMs = 1_000;

/** Time limit for refusing the requests that have not finished by then. */
const refusalsMs = 200;

export interface DrainOptions {
  /** Accepts no new connection; resolves when the last one has ended. */
  readonly close: () => Promise<void>;
  /** Refuses the requests that still wait. */
  readonly refuse: () => Promise<unknown>;
}

/** Call before the routes are registered. Returns a function that ends the server. */
export function createServerDrain(fastify: FastifyInstance): (options: DrainOptions) => Promise<void> {
  let isDraining = false;
  // Without this header a client would keep the connection, and the server would wait for its end.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
  return async ({ close, refuse }) => {
    isDraining = true;
    const closed = close();
    await resolvesInTime(closed, answersMs);
    await refuse();
    await resolvesInTime(closed, refusalsMs);
    fastify.server.closeAllConnections();
  };
}
