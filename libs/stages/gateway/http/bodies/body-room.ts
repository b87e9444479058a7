// Bounds the memory for bodies that are being received: each claims its bytes before the first of them is read.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tooMany } from '../api-problem.ts';

/** What a gateway can spare; bodies that wait for the log take further memory. */
export const bodyRoomBytes = 192 * 1024 * 1024;

/** A sender to the API, or to one source of the workspace: anybody who knows the source's endpoint. */
export interface BodyOwner {
  readonly workspace: string;
  readonly door: string;
}

interface Claim {
  readonly owners: readonly [workspace: string, door: string];
  readonly bytes: number;
}

/**
 * A workspace holds at most as much as is still free, and each of its doors at most as much as the workspace may still
 * take: a third of the room for a single door. So some room is always left for a workspace or a door that comes later,
 * whatever the others hold and for however long.
 */
export class BodyRoom {
  readonly #roomBytes: number;
  readonly #taken = new Taken();
  readonly #claims = new WeakMap<IncomingMessage, Claim>();
  /** By socket: a request that waits behind others on a connection is not always told when the connection ends. */
  readonly #onSocket = new WeakMap<Socket, Set<IncomingMessage>>();

  constructor(bytes = bodyRoomBytes) {
    this.#roomBytes = bytes;
  }

  get takenBytes(): number {
    return this.#taken.all;
  }

  /** Lasts until `release`, or until the connection ends. Throws ApiProblem 429. */
  claim(message: IncomingMessage, { workspace, door }: BodyOwner, bytes: number): void {
    // A socket that is already closed sends nothing, and would never release its claim.
    if (bytes === 0 || message.socket.destroyed) return;
    const owners = [workspace, `${workspace} ${door}`] as const;
    const [ofWorkspace, ofDoor] = owners.map((owner) => this.#taken.of(owner)) as [number, number];
    const left = this.#roomBytes - this.#taken.all - ofWorkspace;
    if (ofDoor + bytes > left) throw tooMany('Too many bodies are being received.');
    this.#taken.add(owners, bytes);
    this.#claims.set(message, { owners, bytes });
    this.#claimsOn(message.socket).add(message);
  }

  /** Without a claim it does nothing. */
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

/** Bytes by owner, and in total. */
class Taken {
  readonly #byOwner = new Map<string, number>();
  all = 0;

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** Forgets an owner that has none left. */
  add(owners: readonly string[], bytes: number): void {
    this.all += bytes;
    for (const owner of owners) {
      const left = this.of(owner) + bytes;
      if (left > 0) this.#byOwner.set(owner, left);
      else this.#byOwner.delete(owner);
    }
  }
}

/** The most bytes that a request's body can have; 0: there is no body, or it is refused unread. */
export function expectedBytes({ headers }: IncomingMessage, bytesMax: number): number {
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes <= bytesMax ? bytes : 0;
}
