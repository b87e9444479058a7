// Ends connections on which an answer waits to be read and nothing of it is: it would stay in memory for as long.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A client that takes nothing of its answer for this long is gone. */
export const stalledMs = 60_000;

/**
 * Of answers that the framework sends: streams and exports, which take the response from it, have rules of their own.
 * Node's time limit of a connection counts from its last progress, in bytes that the system has taken; when it is over,
 * Node ends the connection. So it is set only while an answer is sent, not while a request is worked on. May take twice
 * its time, since Node looks once in that time.
 */
export function endStalledAnswers(fastify: FastifyInstance, afterMs = stalledMs): void {
  /** By connection, the answer for which the time limit stands: requests may be sent before the last one is answered. */
  const sending = new WeakMap<Socket, ServerResponse>();
  const begin = (response: ServerResponse, socket: Socket): void => {
    sending.set(socket, response);
    socket.setTimeout(afterMs);
  };
  const end = (response: ServerResponse, socket: Socket): void => {
    if (sending.get(socket) !== response) return;
    sending.delete(socket);
    // Node has set another one if the connection is kept for the next request.
    if (socket.timeout === afterMs) socket.setTimeout(0);
  };
  fastify.addHook('onSend', (request, { raw }, _payload, done) => {
    const { socket } = request.raw;
    // Requests by injection have none.
    if (socket instanceof Socket) {
      raw.once('finish', () => end(raw, socket));
      if (raw.socket === null) raw.once('socket', () => begin(raw, socket));
      else begin(raw, socket);
    }
    done();
  });
}
