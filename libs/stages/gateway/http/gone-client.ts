// Detects that a client is gone, and ends what waits to answer it.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** By socket: a request that waits after others on a connection is not always notified of the connection's end. */
const leaving = new WeakMap<Socket, Set<() => void>>();

/** Calls `leave` once the connection has ended, or at once if it already has; returns a function that cancels this. */
export function onGone({ socket }: IncomingMessage, leave: () => void): () => void {
  if (socket.destroyed) leave();
  const all = leavingOn(socket);
  all.add(leave);
  return () => void all.delete(leave);
}

/** Adds only one listener, however many requests of the connection wait. */
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
