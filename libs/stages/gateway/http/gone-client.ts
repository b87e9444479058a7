// Notices that a client is gone, and ends what waits to answer it.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** By socket: a request that waits behind others on a connection does not always notice that the connection ends. */
const leaving = new WeakMap<Socket, Set<() => void>>();

/** Calls `leave` once the connection has ended, at once if it has; what it returns takes that back. */
export function onGone({ socket }: IncomingMessage, leave: () => void): () => void {
  if (socket.destroyed) leave();
  const all = leavingOn(socket);
  all.add(leave);
  return () => void all.delete(leave);
}

/** One listener, however many requests of the connection wait. */
function leavingOn(socket: Socket): Set<() => void> {
  const known = leaving.get(socket);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  leaving.set(socket, all);
  socket.once('close', () => {
    for (const leave of all) leave();
  });
  return all;
}
