// Closes connections that send many requests ahead of answers: each holds memory until all before it are answered.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Unanswered requests of a connection, in addition to the first one. No known client sends as many without waiting. */
export const aheadMax = 64;
/** The same of all connections: about as many as connections may be open. */
const allAheadMax = 10_000;

/** Must be called before requests arrive. A connection beyond the bound is closed without further answers. */
export function endWhatSendsAhead(server: Server, allMax = allAheadMax): void {
  const open = new WeakMap<Socket, number>();
  let allAhead = 0;
  const ahead = (socket: Socket): number => Math.max((open.get(socket) ?? 0) - 1, 0);
  const change = (socket: Socket, by: number): void => {
    allAhead -= ahead(socket);
    open.set(socket, (open.get(socket) ?? 0) + by);
    allAhead += ahead(socket);
  };
  const count = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (socket.destroyed) return;
    change(socket, 1);
    response.once('close', () => socket.destroyed || change(socket, -1));
    if (ahead(socket) > aheadMax || (ahead(socket) > 0 && allAhead > allMax)) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => {
      allAhead -= ahead(socket);
      open.delete(socket);
    });
  });
  server.prependListener('request', count);
  server.prependListener('checkExpectation', count);
}
