// Stands in for a socket: packages set it up and listen to it, but it never emits anything.
import EventEmitter from 'events/events.js';

type Emitter = InstanceType<typeof EventEmitter>;

export function socketOf(): Emitter {
  const socket: Emitter = new EventEmitter();
  const itself = (): Emitter => socket;
  return Object.assign(socket, {
    encrypted: true,
    authorized: true,
    connecting: false,
    destroyed: false,
    readable: true,
    writable: true,
    remoteAddress: undefined,
    remotePort: undefined,
    bytesRead: 0,
    bytesWritten: 0,
    setKeepAlive: itself,
    setNoDelay: itself,
    setTimeout: itself,
    ref: itself,
    unref: itself,
    cork: () => {},
    uncork: () => {},
    destroy: itself,
    end: itself,
  });
}
