// How much may be in memory of bodies that are being received: a claim is made before the first byte of one is read.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tooMany } from '../api-problem.ts';

/** What a gateway can spare; beside it stands what waits for the log. */
export const bodyRoomBytes = 192 * 1024 * 1024;

/** Who sends: to the API, or to one source of the workspace, which may be anybody that knows its endpoint. */
export interface BodyOwner {
  readonly workspace: string;
  readonly door: string;
}

interface Claim {
  readonly owners: readonly [workspace: string, door: string];
  readonly bytes: number;
}

/**
 * A workspace has at most as much as is still free, and one of its doors as much as that leaves to the workspace: one
 * door alone a third of the room. So there is always some for a workspace, or a door, that comes later, whatever the
 * others hold and for however long.
 */
export class BodyRoom {
  readonly #roomBytes: number;
  readonly #taken = new Taken();
  readonly #claims = new WeakMap<IncomingMessage, Claim>();
  /** Requests that wait behind others on a connection do not always hear of its end. */
  readonly #onSocket = new WeakMap<Socket, Set<IncomingMessage>>();

  constructor(bytes = bodyRoomBytes) {
    this.#roomBytes = bytes;
  }

  get takenBytes(): number {
    return this.#taken.all;
  }

  /** Until `release`, or the end of the connection. Throws ApiProblem 429. */
  claim(message: IncomingMessage, { workspace, door }: BodyOwner, bytes: number): void {
    // One that is gone already sends nothing, and would never give it back.
    if (bytes === 0 || message.socket.destroyed) return;
    const owners = [workspace, `${workspace} ${door}`] as const;
    const [ofWorkspace, ofDoor] = owners.map((owner) => this.#taken.of(owner)) as [number, number];
    const left = this.#roomBytes - this.#taken.all - ofWorkspace;
    if (ofDoor + bytes > left) throw tooMany('Too many bodies are being received.');
    this.#taken.add(owners, bytes);
    this.#claims.set(message, { owners, bytes });
    this.#claimsOn(message.socket).add(message);
  }

  /** Does nothing when there is no claim, or no longer. */
  release(message: IncomingMessage): void {
    const claim = this.#claims.get(message);
    if (claim === undefined) return;
    this.#claims.delete(message);
    this.#onSocket.get(message.socket)?.delete(message);
    this.#taken.add(claim.owners, -claim.bytes);
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

/** Bytes by owner, and all of them. */
class Taken {
  readonly #byOwner = new Map<string, number>();
  all = 0;

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** Who has none left is forgotten. */
  add(owners: readonly string[], bytes: number): void {
    this.all += bytes;
    for (const owner of owners) {
      const left = this.of(owner) + bytes;
      if (left > 0) this.#byOwner.set(owner, left);
      else this.#byOwner.delete(owner);
    }
  }
}

/** What a request's body may come to; 0: it has none, or one that is refused unread. */
export function expectedBytes({ headers }: IncomingMessage, bytesMax: number): number {
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes <= bytesMax ? bytes : 0;
}
