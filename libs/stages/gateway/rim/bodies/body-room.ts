// How much may be in memory of bodies that are being received: a claim is made before the first byte of one is read.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tooMany } from '../api-problem.ts';

/** What a gateway can spare; beside it stands what waits for the log. */
export const bodyRoomBytes = 128 * 1024 * 1024;

interface Claim {
  readonly owner: string;
  readonly bytes: number;
}

/**
 * A workspace has at most as much as is still free: alone half of the room, two together a third each. So there is
 * always some left for one that comes later, whatever the others hold and for however long.
 */
export class BodyRoom {
  readonly #roomBytes: number;
  readonly #ofOwner = new Map<string, number>();
  readonly #claims = new WeakMap<IncomingMessage, Claim>();
  /** Requests that wait behind others on a connection do not always hear of its end. */
  readonly #onSocket = new WeakMap<Socket, Set<IncomingMessage>>();
  #taken = 0;

  constructor(bytes = bodyRoomBytes) {
    this.#roomBytes = bytes;
  }

  get takenBytes(): number {
    return this.#taken;
  }

  /** Until `release`, or the end of the connection. Throws ApiProblem 429. */
  claim(message: IncomingMessage, owner: string, bytes: number): void {
    if (bytes === 0) return;
    const own = this.#ofOwner.get(owner) ?? 0;
    if (own + bytes > this.#roomBytes - this.#taken) throw tooMany('Too many bodies are being received.');
    this.#ofOwner.set(owner, own + bytes);
    this.#taken += bytes;
    this.#claims.set(message, { owner, bytes });
    this.#claimsOn(message.socket).add(message);
  }

  /** Does nothing when there is no claim, or no longer. */
  release(message: IncomingMessage): void {
    const claim = this.#claims.get(message);
    if (claim === undefined) return;
    this.#claims.delete(message);
    this.#onSocket.get(message.socket)?.delete(message);
    this.#taken -= claim.bytes;
    const left = (this.#ofOwner.get(claim.owner) ?? 0) - claim.bytes;
    if (left > 0) this.#ofOwner.set(claim.owner, left);
    else this.#ofOwner.delete(claim.owner);
  }

  #claimsOn(socket: Socket): Set<IncomingMessage> {
    const known = this.#onSocket.get(socket);
    if (known !== undefined) return known;
    const claims = new Set<IncomingMessage>();
    this.#onSocket.set(socket, claims);
    socket.once('close', () => {
      for (const message of claims) this.release(message);
    });
    return claims;
  }
}

/** What a request's body may come to; 0: it has none, or one that is refused unread. */
export function expectedBytes({ headers }: IncomingMessage, bytesMax: number): number {
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes <= bytesMax ? bytes : 0;
}
