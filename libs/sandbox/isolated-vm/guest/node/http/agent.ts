// Agents: connections are the host's, so an agent only says which protocol it is for.
import EventEmitter from 'events/events.js';

export class Agent extends EventEmitter {
  readonly options: object;
  readonly protocol: string = 'http:';
  readonly defaultPort: number = 80;
  readonly maxSockets = Infinity;
  readonly maxFreeSockets = 256;
  readonly maxTotalSockets = Infinity;
  readonly keepAlive: boolean;
  readonly sockets = {};
  readonly freeSockets = {};
  readonly requests = {};

  constructor(options: { readonly keepAlive?: boolean } = {}) {
    super();
    this.options = { ...options };
    this.keepAlive = options?.keepAlive === true;
  }
  destroy(): void {}
}

export class HttpsAgent extends Agent {
  override readonly protocol = 'https:';
  override readonly defaultPort = 443;
}
