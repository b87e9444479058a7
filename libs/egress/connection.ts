// One connection to an origin as those who use it see it: where it leads and what opening it took.
import type { Socket } from 'node:net';
import type { buildConnector as BuildConnector, Dispatcher } from 'undici';
import { isTellable } from './addresses/address.ts';
import { handshakeTimeout, lookupTimeout } from './connect-failure.ts';
import { Client, passOverContinue } from './undici.ts';

/** Undici's connector, which gives the socket before it is open; undefined: there is none yet. */
export type Connector = (...args: Parameters<BuildConnector.connector>) => Socket | undefined;

/** Null: it was not needed, or is not known. */
export interface Opening {
  /** `address:port` that was dialled; null through a proxy, and where the URL led to a private address by a name. */
  address: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

/** A handler of a request that is told which connection it goes by, and how to send the request on it again. */
interface Following {
  follow?(connection: Connection, again: () => boolean): void;
}

/** The connection that a client has, or is about to have: it opens one after the other. */
export class Connection {
  #opening: Opening | undefined;
  #isNew = false;
  #socket: Socket | undefined;
  /** What had come in on it when the newest request that is bounded began. */
  #bytesBefore = 0;
  #bytesMax = Infinity;
  #exceeded: (() => void) | undefined;

  /** Of the newest one, as far as it is open. */
  get opening(): Readonly<Opening> | undefined {
    return this.#opening;
  }

  begin(): Opening {
    this.#isNew = true;
    return (this.#opening = { address: null, dnsMs: null, connectMs: null, tlsMs: null });
  }

  /** `socket`: as it is given to the client. */
  opened(socket: Socket): void {
    this.#socket = socket;
    this.#bytesBefore = 0;
    this.#bytesMax = Infinity;
    this.#exceeded = undefined;
  }

  /**
   * Bounds what comes in from here on, up to the next such call, whatever it is and whether or not the request that
   * begins now still waits for it: beyond `bytesMax` the connection is closed, after `exceeded` has been called.
   */
  bound(bytesMax: number, exceeded: () => void): void {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#bytesMax = bytesMax;
    this.#exceeded = exceeded;
  }

  /** Bytes that have come in since `bound` was called; behind TLS. */
  get receivedBytes(): number {
    return (this.#socket?.bytesRead ?? 0) - this.#bytesBefore;
  }

  /** To be called when the client has taken what has come in. */
  took(socket: Socket): void {
    if (socket !== this.#socket || this.receivedBytes <= this.#bytesMax) return;
    this.#exceeded?.();
    socket.destroy();
  }

  /** Whether it was opened for the request that begins on it now; to be asked once for each. */
  takeIsNew(): boolean {
    const isNew = this.#isNew;
    this.#isNew = false;
    return isNew;
  }
}

/** A client, one connection at a time, whose requests may follow what it is like. */
export class FollowedClient extends Client {
  readonly #connection: Connection;

  constructor(origin: string | URL, options: object) {
    const connection = new Connection();
    const { connect } = options as { readonly connect: Connector };
    super(origin, { ...options, connect: timed(connect, connection) });
    this.#connection = connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const again = (): boolean => {
      if (this.closed || this.destroyed) return false;
      this.dispatch(options, handler);
      return true;
    };
    (handler as Following).follow?.(this.#connection, again);
    return super.dispatch(options, handler);
  }
}

/** Tenths of a millisecond. */
const sinceMs = (startedAt: number): number => Math.round((performance.now() - startedAt) * 10) / 10;

function timed(connect: Connector, connection: Connection): BuildConnector.connector {
  return (wanted, callback) => {
    const opening = connection.begin();
    let startedAt = performance.now();
    const next = (): number => {
      const tookMs = sinceMs(startedAt);
      startedAt = performance.now();
      return tookMs;
    };
    /** Undefined: what it leads to is not seen from here. */
    let isDialled: boolean | undefined;
    const socket = connect(wanted, (...result) => {
      const opened = result[0] === null ? result[1] : null;
      if (opened === null) {
        nameStep(result[0], isDialled, opening.connectMs !== null);
        return callback(...result);
      }
      if (opening.connectMs === null) opening.connectMs = next();
      else if (wanted.protocol === 'https:') opening.tlsMs = next();
      connection.opened(opened);
      callback(...result);
      passOverContinue(opened);
      // After the client's own listener.
      opened.on('readable', () => connection.took(opened));
    });
    if (socket !== undefined) isDialled = false;
    socket?.once('lookup', () => {
      opening.dnsMs = next();
    });
    // Also of an address that then refuses or does not answer; of several the last one.
    socket?.on('connectionAttempt', (address: string, port: number) => {
      isDialled = true;
      opening.address = shownAddress(wanted, address, port);
    });
    // Before undici learns of it.
    socket?.prependOnceListener('connect', () => {
      opening.connectMs = next();
      opening.address = shownAddress(wanted, socket.remoteAddress, socket.remotePort);
    });
  };
}

/** Sets the code of a timeout to the step that was not over in time: look-up, connection or handshake. */
function nameStep(error: Error | null, isDialled: boolean | undefined, isConnected: boolean): void {
  const failing = error as NodeJS.ErrnoException | null;
  if (failing?.code !== 'UND_ERR_CONNECT_TIMEOUT') return;
  if (isDialled === false) failing.code = lookupTimeout;
  else if (isConnected) failing.code = handshakeTimeout;
}

type Wanted = Parameters<BuildConnector.connector>[0];

/** The dialled address as whoever gave the URL may see it; null: they may not. */
function shownAddress(wanted: Wanted, address: string | undefined, port: string | number | undefined): string | null {
  if (address === undefined || !isTellable(address, wanted.hostname)) return null;
  return `${address.includes(':') ? `[${address}]` : address}${port === undefined || port === '' ? '' : `:${port}`}`;
}
