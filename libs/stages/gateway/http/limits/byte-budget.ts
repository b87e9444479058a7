// Bounds the memory of requests and answers in progress: each claims its bytes first.
import type { IncomingMessage } from 'node:http';
import { tooManyRequests } from '../api-problem.ts';
import { onDisconnect } from '../client-disconnect.ts';

/**
 * The owner of claimed bytes: a workspace and one of its traffic classes, the API or the endpoint of a source, which
 * anybody might know.
 */
export interface BudgetOwner {
  readonly workspace: string;
  readonly trafficClass: string;
}

interface Claim {
  readonly owners: readonly [workspace: string, trafficClass: string];
  readonly bytes: number;
  readonly stopListening: () => void;
}

/**
 * A workspace holds at most as much as is still free, and each of its classes at most what the workspace can still
 * claim: a third of the budget for one class. So some is always left for a later workspace or class, whatever the
 * others hold and for however long.
 */
export class ByteBudget {
  readonly #totalBytes: number;
  readonly #fullMessage: string;
  readonly #claimed = new ClaimedBytes();
  readonly #claims = new WeakMap<IncomingMessage, Claim>();

  /** `fullMessage`: the message to a client when there is no room. */
  constructor(bytes: number, fullMessage: string) {
    this.#totalBytes = bytes;
    this.#fullMessage = fullMessage;
  }

  get claimedBytes(): number {
    return this.#claimed.total;
  }

  /** Claims bytes until `release`, or until the connection ends. Throws ApiProblem 429. */
  claim(message: IncomingMessage, { workspace, trafficClass }: BudgetOwner, bytes: number): void {
    // A socket that is already closed sends nothing, and would never release its claim.
    if (bytes === 0 || message.socket.destroyed) return;
    const owners = [workspace, `${workspace} ${trafficClass}`] as const;
    const [workspaceBytes, classBytes] = owners.map((owner) => this.#claimed.of(owner)) as [number, number];
    const availableBytes = this.#totalBytes - this.#claimed.total - workspaceBytes;
    if (classBytes + bytes > availableBytes) throw tooManyRequests(this.#fullMessage);
    this.#claimed.add(owners, bytes);
    const stopListening = onDisconnect(message, () => this.release(message));
    this.#claims.set(message, { owners, bytes, stopListening });
  }

  /** Does nothing without a claim. */
  release(message: IncomingMessage): void {
    const claim = this.#claims.get(message);
    if (claim === undefined) return;
    this.#claims.delete(message);
    claim.stopListening();
    this.#claimed.add(claim.owners, -claim.bytes);
  }
}

/** Claimed bytes by owner, and in total. */
class ClaimedBytes {
  readonly #byOwner = new Map<string, number>();
  total = 0;

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** Deletes an owner that has none left. */
  add(owners: readonly string[], bytes: number): void {
    this.total += bytes;
    for (const owner of owners) {
      const remaining = this.of(owner) + bytes;
      if (remaining > 0) this.#byOwner.set(owner, remaining);
      else this.#byOwner.delete(owner);
    }
  }
}
