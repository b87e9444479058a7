// Closes connections that send many requests ahead of answers: each holds memory until all before it are answered.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Unanswered requests of a connection, in addition to the first one. No known client sends as many without waiting. */
export const pipelinedMax = 64;
/** The same of all connections: about as many as connections may be open. */
const totalPipelinedMax = 10_000;

/** Must be called before requests arrive. A connection beyond the bound is closed without further answers. */
export function limitPipelining(server: Server, totalMax = totalPipelinedMax): void {
  const unanswered = new WeakMap<Socket, number>();
  let totalPipelined = 0;
  const pipelinedOf = (socket: Socket): number => Math.max((unanswered.get(socket) ?? 0) - 1, 0);
  const addUnanswered = (socket: Socket, delta: number): void => {
    totalPipelined -= pipelinedOf(socket);
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + delta);
    totalPipelined += pipelinedOf(socket);
  };
  const count = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (socket.destroyed) return;
    addUnanswered(socket, 1);
    response.once('close', () => socket.destroyed || addUnanswered(socket, -1));
    if (pipelinedOf(socket) > pipelinedMax || (pipelinedOf(socket) > 0 && totalPipelined > totalMax)) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => {
      totalPipelined -= pipelinedOf(socket);
      unanswered.delete(socket);
    });
  });
  server.prependListener('request', count);
  server.prependListener('checkExpectation', count);
}
