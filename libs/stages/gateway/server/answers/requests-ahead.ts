// Ends connections that send many requests ahead of their answers: each takes memory until all before it are answered.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of a connection, beside the one that is answered next. No client in use sends as many without waiting. */
export const aheadMax = 64;
/** Of all connections: about as many again as connections may be open. */
const allAheadMax = 10_000;

/** To be called before requests come. What a client has sent beyond the bound is not answered, nor what is before it. */
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
