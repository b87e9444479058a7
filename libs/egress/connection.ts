// Tracks a client's connection to an origin: the dialled address, how long opening took, and the bytes received.
import type { Socket } from 'node:net';
import type { buildConnector as BuildConnector, Dispatcher } from 'undici';
import { isTellable } from './addresses/address.ts';
import { handshakeTimeout, lookupTimeout } from './connect-failure.ts';
import { Client, passOverContinue } from './undici.ts';

/** Undici's connector, which returns the socket before it is open; undefined when there is none yet. */
export type Connector = (...args: Parameters<BuildConnector.connector>) => Socket | undefined;

/** How a connection was opened. Null: the step was not needed, or its time is not known. */
export interface Opening {
  /** `address:port` that was dialled; null through a proxy, and where the URL led to a private address by a name. */
  address: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

/** A request handler that is called with the request's connection, and with a way to send the request on it again. */
interface Following {
  follow?(connection: Connection, again: () => boolean): void;
}

/** The client's current or next connection: a client opens one after the other. */
export class Connection {
  #opening: Opening | undefined;
  #isNew = false;
  #socket: Socket | undefined;
  /** Bytes received when the newest bounded request began. */
  #bytesBefore = 0;
  #bytesMax = Infinity;
  #exceeded: (() => void) | undefined;

  /** Describes the opening of the newest connection, as far as it has come. */
  get opening(): Readonly<Opening> | undefined {
    return this.#opening;
  }

  begin(): Opening {
    this.#isNew = true;
    return (this.#opening = { address: null, dnsMs: null, connectMs: null, tlsMs: null });
  }

  /** `socket`: the one that is passed to the client. */
  opened(socket: Socket): void {
    this.#socket = socket;
    this.#bytesBefore = 0;
    this.#bytesMax = Infinity;
    this.#exceeded = undefined;
  }

  /**
   * Bounds all bytes received from here on, up to the next such call, whether or not the request that
   * begins now still waits for them: beyond `bytesMax` the connection is closed, after `exceeded` was called.
   */
  bound(bytesMax: number, exceeded: () => void): void {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#bytesMax = bytesMax;
    this.#exceeded = exceeded;
  }

  /** Bytes received since `bound` was called, after decryption. */
  get receivedBytes(): number {
    return (this.#socket?.bytesRead ?? 0) - this.#bytesBefore;
  }

  /** Call when the client has read the received bytes. */
  took(socket: Socket): void {
    if (socket !== this.#socket || this.receivedBytes <= this.#bytesMax) return;
    this.#exceeded?.();
    socket.destroy();
  }

  /** Whether it was opened for the request that begins on it now; call once for each request. */
  takeIsNew(): boolean {
    const isNew = this.#isNew;
    this.#isNew = false;
    return isNew;
  }
}

/** A client with one connection at a time, whose requests can follow the state of that connection. */
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

/** Milliseconds since `startedAt`, rounded to tenths. */
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
    /** Undefined when this process does not see the steps of the connection. */
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
    // The address that was tried last, even if it refuses or does not answer.
    socket?.on('connectionAttempt', (address: string, port: number) => {
      isDialled = true;
      opening.address = shownAddress(wanted, address, port);
    });
    // Runs before undici's own listener.
    socket?.prependOnceListener('connect', () => {
      opening.connectMs = next();
      opening.address = shownAddress(wanted, socket.remoteAddress, socket.remotePort);
    });
  };
}

/** Sets the code of a timeout to the step that did not end in time: look-up, connection or handshake. */
function nameStep(error: Error | null, isDialled: boolean | undefined, isConnected: boolean): void {
  const failing = error as NodeJS.ErrnoException | null;
  if (failing?.code !== 'UND_ERR_CONNECT_TIMEOUT') return;
  if (isDialled === false) failing.code = lookupTimeout;
  else if (isConnected) failing.code = handshakeTimeout;
}

type Wanted = Parameters<BuildConnector.connector>[0];

/** Returns the dialled address as the URL's author may see it; null if they may not. */
function shownAddress(wanted: Wanted, address: string | undefined, port: string | number | undefined): string | null {
  if (address === undefined || !isTellable(address, wanted.hostname)) return null;
  return `${address.includes(':') ? `[${address}]` : address}${port === undefined || port === '' ? '' : `:${port}`}`;
}
