// Closes connections whose client reads nothing of a waiting answer, which would otherwise stay in memory.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A client that reads nothing of its answer for this long counts as gone. */
export const stalledMs = 60_000;

/**
 * For answers that the framework sends: streams and exports, which take the response from it, have their own rules.
 * Node's timeout of a connection counts from its last progress, in bytes that the system has accepted; then Node closes
 * the connection. So it is set only while an answer is sent, not while a request is handled. Can take twice as long,
 * since Node checks once in that time.
 */
export function endStalledAnswers(fastify: FastifyInstance, timeoutMs = stalledMs): void {
  /** The answer for which a connection's timeout is set: requests can arrive before the last one is answered. */
  const sending = new WeakMap<Socket, ServerResponse>();
  const startTimeout = (response: ServerResponse, socket: Socket): void => {
    sending.set(socket, response);
    socket.setTimeout(timeoutMs);
  };
  const stopTimeout = (response: ServerResponse, socket: Socket): void => {
    if (sending.get(socket) !== response) return;
    sending.delete(socket);
    // Node has set another timeout if the connection is kept for the next request.
    if (socket.timeout === timeoutMs) socket.setTimeout(0);
  };
  fastify.addHook('onSend', (request, { raw }, _payload, done) => {
    const { socket } = request.raw;
    // Injected requests have no real socket.
    if (socket instanceof Socket) {
      raw.once('finish', () => stopTimeout(raw, socket));
      if (raw.socket === null) raw.once('socket', () => startTimeout(raw, socket));
      else startTimeout(raw, socket);
    }
    done();
  });
}
