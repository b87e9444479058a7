// Tracks a client's connection to an origin: the dialled address, how long opening took, and the bytes received.
import type { Socket } from 'node:net';
import type { buildConnector as BuildConnector, Dispatcher } from 'undici';
import { canDiscloseAddress } from './addresses/address.ts';
import { handshakeTimeout, lookupTimeout } from './connect-failure.ts';
import { Client, skipContinue } from './undici.ts';

/** Undici's connector, which returns the socket before it is open; undefined when there is none yet. */
export type Connector = (...args: Parameters<BuildConnector.connector>) => Socket | undefined;

/** How a connection was opened. Null: the step was not needed, or its time is not known. */
export interface ConnectionOpening {
  /** `address:port` that was dialled; null through a proxy, and where the URL led to a private address by a name. */
  address: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

/** A request handler that is called with the request's connection, and with a way to send the request on it again. */
interface ConnectionFollower {
  follow?(connection: Connection, resend: () => boolean): void;
}

/** The client's current or next connection: a client opens one after the other. */
export class Connection {
  #opening: ConnectionOpening | undefined;
  #isNew = false;
  #socket: Socket | undefined;
  /** Bytes received when the newest bounded request began. */
  #bytesBefore = 0;
  #bytesMax = Infinity;
  #onExceeded: (() => void) | undefined;

  /** Describes the opening of the newest connection, as far as it has come. */
  get opening(): Readonly<ConnectionOpening> | undefined {
    return this.#opening;
  }

  beginOpening(): ConnectionOpening {
    this.#isNew = true;
    return (this.#opening = { address: null, dnsMs: null, connectMs: null, tlsMs: null });
  }

  /** `socket`: the one that is passed to the client. */
  markOpened(socket: Socket): void {
    this.#socket = socket;
    this.#bytesBefore = 0;
    this.#bytesMax = Infinity;
    this.#onExceeded = undefined;
  }

  /**
   * Bounds all bytes received from here on, up to the next such call, whether or not the request that
   * begins now still waits for them: beyond `bytesMax` the connection is closed, after `onExceeded` was called.
   */
  limitReceived(bytesMax: number, onExceeded: () => void): void {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#bytesMax = bytesMax;
    this.#onExceeded = onExceeded;
  }

  /** Bytes received since `limitReceived` was called, after decryption. */
  get receivedBytes(): number {
    return (this.#socket?.bytesRead ?? 0) - this.#bytesBefore;
  }

  /** Call when the client has read the received bytes. */
  checkReceived(socket: Socket): void {
    if (socket !== this.#socket || this.receivedBytes <= this.#bytesMax) return;
    this.#onExceeded?.();
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
export class TrackedClient extends Client {
  readonly #connection: Connection;

  constructor(origin: string | URL, options: object) {
    const connection = new Connection();
    const { connect } = options as { readonly connect: Connector };
    super(origin, { ...options, connect: timedConnector(connect, connection) });
    this.#connection = connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const resend = (): boolean => {
      if (this.closed || this.destroyed) return false;
      this.dispatch(options, handler);
      return true;
    };
    (handler as ConnectionFollower).follow?.(this.#connection, resend);
    return super.dispatch(options, handler);
  }
}

/** Milliseconds since `startedAt`, rounded to tenths. */
const sinceMs = (startedAt: number): number => Math.round((performance.now() - startedAt) * 10) / 10;

function timedConnector(connect: Connector, connection: Connection): BuildConnector.connector {
  return (destination, callback) => {
    const opening = connection.beginOpening();
    let startedAt = performance.now();
    const lapMs = (): number => {
      const tookMs = sinceMs(startedAt);
      startedAt = performance.now();
      return tookMs;
    };
    /** Undefined when this process does not see the steps of the connection. */
    let isDialled: boolean | undefined;
    const socket = connect(destination, (...result) => {
      const opened = result[0] === null ? result[1] : null;
      if (opened === null) {
        setTimeoutCode(result[0], isDialled, opening.connectMs !== null);
        return callback(...result);
      }
      if (opening.connectMs === null) opening.connectMs = lapMs();
      else if (destination.protocol === 'https:') opening.tlsMs = lapMs();
      connection.markOpened(opened);
      callback(...result);
      skipContinue(opened);
      // After the client's own listener.
      opened.on('readable', () => connection.checkReceived(opened));
    });
    if (socket !== undefined) isDialled = false;
    socket?.once('lookup', () => {
      opening.dnsMs = lapMs();
    });
    // The address that was tried last, even if it refuses or does not answer.
    socket?.on('connectionAttempt', (address: string, port: number) => {
      isDialled = true;
      opening.address = disclosedAddress(destination, address, port);
    });
    // Runs before undici's own listener.
    socket?.prependOnceListener('connect', () => {
      opening.connectMs = lapMs();
      opening.address = disclosedAddress(destination, socket.remoteAddress, socket.remotePort);
    });
  };
}

/** Sets the code of a timeout to the step that did not end in time: look-up, connection or handshake. */
function setTimeoutCode(error: Error | null, isDialled: boolean | undefined, isConnected: boolean): void {
  const errno = error as NodeJS.ErrnoException | null;
  if (errno?.code !== 'UND_ERR_CONNECT_TIMEOUT') return;
  if (isDialled === false) errno.code = lookupTimeout;
  else if (isConnected) errno.code = handshakeTimeout;
}

type ConnectOptions = Parameters<BuildConnector.connector>[0];

/** Returns the dialled address as the URL's author may see it; null if they may not. */
function disclosedAddress(
  destination: ConnectOptions,
  address: string | undefined,
  port: string | number | undefined,
): string | null {
  if (address === undefined || !canDiscloseAddress(address, destination.hostname)) return null;
  return `${address.includes(':') ? `[${address}]` : address}${port === undefined || port === '' ? '' : `:${port}`}`;
}
