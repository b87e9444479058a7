// Bounds the memory of requests and answers in progress: each claims its bytes first.
import type { IncomingMessage } from 'node:http';
import { tooMany } from '../api-problem.ts';
import { onGone } from '../gone-client.ts';

/**
 * The owner of claimed bytes: a workspace and one of its doors, the API or the endpoint of a source, which
 * anybody might know.
 */
export interface RoomOwner {
  readonly workspace: string;
  readonly door: string;
}

interface Claim {
  readonly owners: readonly [workspace: string, door: string];
  readonly bytes: number;
  readonly stopWatching: () => void;
}

/**
 * A workspace holds at most as much as is still free, and each of its doors at most as much as the workspace can still
 * claim: a third of the room for a single door. So some room is always left for a later workspace or door, whatever the
 * others hold and for however long.
 */
export class ByteRoom {
  readonly #roomBytes: number;
  readonly #full: string;
  readonly #taken = new Taken();
  readonly #claims = new WeakMap<IncomingMessage, Claim>();

  /** `full`: the message to a client when there is no room. */
  constructor(bytes: number, full: string) {
    this.#roomBytes = bytes;
    this.#full = full;
  }

  get takenBytes(): number {
    return this.#taken.all;
  }

  /** Claims bytes until `release`, or until the connection ends. Throws ApiProblem 429. */
  claim(message: IncomingMessage, { workspace, door }: RoomOwner, bytes: number): void {
    // A socket that is already closed sends nothing, and would never release its claim.
    if (bytes === 0 || message.socket.destroyed) return;
    const owners = [workspace, `${workspace} ${door}`] as const;
    const [ofWorkspace, ofDoor] = owners.map((owner) => this.#taken.of(owner)) as [number, number];
    const left = this.#roomBytes - this.#taken.all - ofWorkspace;
    if (ofDoor + bytes > left) throw tooMany(this.#full);
    this.#taken.add(owners, bytes);
    const stopWatching = onGone(message, () => this.release(message));
    this.#claims.set(message, { owners, bytes, stopWatching });
  }

  /** Does nothing without a claim. */
  release(message: IncomingMessage): void {
    const claim = this.#claims.get(message);
    if (claim === undefined) return;
    this.#claims.delete(message);
    claim.stopWatching();
    this.#taken.add(claim.owners, -claim.bytes);
  }
}

/** Claimed bytes by owner, and in total. */
class Taken {
  readonly #byOwner = new Map<string, number>();
  all = 0;

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** Deletes an owner that has none left. */
  add(owners: readonly string[], bytes: number): void {
    this.all += bytes;
    for (const owner of owners) {
      const left = this.of(owner) + bytes;
      if (left > 0) this.#byOwner.set(owner, left);
      else this.#byOwner.delete(owner);
    }
  }
}
