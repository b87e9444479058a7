// Detects that a client is gone, and ends what waits to answer it.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** By socket: a request that waits after others on a connection is not always notified of the connection's end. */
const disconnectCallbacks = new WeakMap<Socket, Set<() => void>>();

/** Calls `callback` once the connection has ended, or at once if it has; returns a function that cancels this. */
export function onDisconnect({ socket }: IncomingMessage, callback: () => void): () => void {
  if (socket.destroyed) callback();
  const callbacks = callbacksOf(socket);
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

/** Adds only one listener, however many requests of the connection wait. */
function callbacksOf(socket: Socket): Set<() => void> {
  const known = disconnectCallbacks.get(socket);
  if (known !== undefined) return known;
  const callbacks = new Set<() => void>();
  disconnectCallbacks.set(socket, callbacks);
  socket.once('close', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}
