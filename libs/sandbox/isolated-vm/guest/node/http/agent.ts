// http.Agent: its methods are called as in Node, so that those of packages take effect; the host makes the connections.
import EventEmitter from 'events/events.js';
import { Socket } from './socket.ts';

export interface AgentSettings {
  readonly keepAlive?: boolean;
  readonly maxSockets?: number;
  readonly maxFreeSockets?: number;
  readonly maxTotalSockets?: number;
}

interface ConnectionTarget {
  readonly host?: string;
  readonly port?: string | number;
  readonly localAddress?: string;
  readonly family?: number;
}

type ConnectCallback = (error: Error | null, socket?: unknown) => void;

interface Request {
  readonly socket: Socket;
  /** Called with the connection, or with the error of creating it. */
  onSocket(socket: unknown, error?: Error | null): void;
}

/** The option that passes the request's socket to `createConnection`. */
const ownSocket = Symbol('socket');

export class Agent extends EventEmitter {
  options: object;
  // Declared, not defined, because subclasses have accessors of these names.
  declare protocol: string;
  declare defaultPort: number;
  maxSockets: number;
  maxFreeSockets: number;
  maxTotalSockets: number;
  keepAlive: boolean;
  readonly sockets = {};
  readonly freeSockets = {};
  readonly requests = {};
  readonly totalSocketCount = 0;

  constructor(options?: AgentSettings | null) {
    super();
    this.options = { ...options };
    this.protocol = 'http:';
    this.defaultPort = 80;
    this.keepAlive = options?.keepAlive === true;
    this.maxSockets = options?.maxSockets ?? Infinity;
    this.maxFreeSockets = options?.maxFreeSockets ?? 256;
    this.maxTotalSockets = options?.maxTotalSockets ?? Infinity;
  }

  addRequest(request: Request, options: object): void {
    this.createSocket(request, { ...options, ...this.options }, (error, socket) => request.onSocket(socket, error));
  }

  createSocket(request: Request, options: object, callback: ConnectCallback): void {
    let hasCalled = false;
    const callOnce: ConnectCallback = (error, socket) => {
      if (hasCalled) return;
      hasCalled = true;
      callback(error, socket);
    };
    const socket = this.createConnection({ ...options, [ownSocket]: request.socket }, callOnce);
    if (socket) callOnce(null, socket);
  }

  /** Returns the stand-in for the connection that the host makes. */
  createConnection(options: { readonly [ownSocket]?: Socket }, _connected?: ConnectCallback): unknown {
    return options[ownSocket] ?? new Socket(() => {});
  }

  /** The name under which Node would keep the connection. */
  getName({ host, port, localAddress, family }: ConnectionTarget = {}): string {
    const name = `${host ?? 'localhost'}:${port ?? ''}:${localAddress ?? ''}`;
    return family === 4 || family === 6 ? `${name}:${family}` : name;
  }

  keepSocketAlive(): boolean {
    return true;
  }
  reuseSocket(): void {}
  removeSocket(): void {}
  destroy(): void {}
}

export class HttpsAgent extends Agent {
  constructor(options?: AgentSettings | null) {
    super(options);
    this.protocol = 'https:';
    this.defaultPort = 443;
  }
}
