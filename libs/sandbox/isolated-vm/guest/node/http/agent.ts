// Agents: connections are the host's, so an agent only says which protocol it is for.
import EventEmitter from 'events/events.js';

export interface AgentOptions {
  readonly keepAlive?: boolean;
  readonly maxSockets?: number;
  readonly maxFreeSockets?: number;
  readonly maxTotalSockets?: number;
}

export class Agent extends EventEmitter {
  readonly options: object;
  readonly protocol: string = 'http:';
  readonly defaultPort: number = 80;
  readonly maxSockets: number;
  readonly maxFreeSockets: number;
  readonly maxTotalSockets: number;
  readonly keepAlive: boolean;
  readonly sockets = {};
  readonly freeSockets = {};
  readonly requests = {};

  constructor(options?: AgentOptions | null) {
    super();
    this.options = { ...options };
    this.keepAlive = options?.keepAlive === true;
    this.maxSockets = options?.maxSockets ?? Infinity;
    this.maxFreeSockets = options?.maxFreeSockets ?? 256;
    this.maxTotalSockets = options?.maxTotalSockets ?? Infinity;
  }
  destroy(): void {}
}

export class HttpsAgent extends Agent {
  override readonly protocol = 'https:';
  override readonly defaultPort = 443;
}
