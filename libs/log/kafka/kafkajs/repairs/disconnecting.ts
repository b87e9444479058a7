// Makes kafkajs close a connection without touching a socket that is already destroyed.
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

const require = createRequire(import.meta.url);

interface Connection {
  authenticatedAt: unknown;
  connectionStatus: string;
  readonly requestQueue: { waitForPendingRequests(): Promise<void>; destroy(): void };
  readonly socket?: Socket;
}

/**
 * A broker has two connections, and kafkajs closes both whenever it cannot reach the broker by one. It then calls
 * `unref` on the socket that the other had before, and Node makes a destroyed socket wait for a `connect` that never
 * comes: one listener more for each attempt, and a MaxListenersExceededWarning at the eleventh.
 */
export function leaveDestroyedSockets(): void {
  const { prototype } = require('kafkajs/src/network/connection') as {
    prototype: { disconnect(this: Connection): Promise<true> };
  };
  const { CONNECTION_STATUS: status } = require('kafkajs/src/network/connectionStatus') as {
    CONNECTION_STATUS: { readonly DISCONNECTING: string; readonly DISCONNECTED: string };
  };
  prototype.disconnect = async function (this: Connection): Promise<true> {
    this.authenticatedAt = null;
    this.connectionStatus = status.DISCONNECTING;
    await this.requestQueue.waitForPendingRequests();
    this.requestQueue.destroy();
    if (this.socket?.destroyed === false) {
      this.socket.end();
      this.socket.unref();
    }
    this.connectionStatus = status.DISCONNECTED;
    return true;
  };
}
