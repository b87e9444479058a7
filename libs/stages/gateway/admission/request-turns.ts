// Lets few requests begin in each turn of the event loop, so that new requests cannot starve the work already accepted.
import type { IncomingMessage } from 'node:http';
import { TurnsOfOwners } from '../../../primitives/sharing/turns-of-owners.ts';
import { stopping } from '../http/api-problem.ts';
import { onGone } from '../http/gone-client.ts';
import type { RoomOwner } from '../http/limits/byte-room.ts';

/**
 * All others wait for the next turn. In each turn runs and deliveries progress as far as they can, but a request needs
 * several turns: a thousand that begin at once would leave hardly any time to process the events that they bring.
 */
export const requestsPerTurn = 4;

interface Waiting {
  readonly owner: RoomOwner;
  readonly begin: () => void;
  readonly refuse: (why: Error) => void;
}

/** Workspaces take turns, and so do the doors of each. The number of open connections bounds how many requests wait. */
export class RequestTurns {
  /** By workspace, in the order of their turns. */
  readonly #waiting = new Map<string, TurnsOfOwners<Waiting>>();
  #left = requestsPerTurn;
  #isTurning = false;
  #isClosed = false;

  get waiting(): number {
    let count = 0;
    for (const doors of this.#waiting.values()) count += doors.size;
    return count;
  }

  /** Resolves when the request can begin; never, if its client leaves before. Throws ApiProblem 503 after `close`. */
  async take(message: IncomingMessage, owner: RoomOwner): Promise<void> {
    if (this.#isClosed) throw stopping();
    this.#countTurns();
    if (this.#left > 0) return void this.#left--;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { owner, begin: resolve, refuse: reject };
    this.#add(waiting);
    const stopWatching = onGone(message, () => this.#leave(waiting));
    await promise.finally(stopWatching);
  }

  /** Rejects all waiting requests, which would be cut off otherwise; those that have begun get the remaining time. */
  close(): void {
    this.#isClosed = true;
    for (const doors of this.#waiting.values()) for (const { refuse } of doors) refuse(stopping());
    this.#waiting.clear();
  }

  /** Counts turns of the event loop as long as requests begin. */
  #countTurns(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isTurning = false;
    this.#left = requestsPerTurn;
    while (this.#left > 0 && this.#waiting.size > 0) {
      this.#left--;
      this.#next()?.begin();
    }
    if (this.#left < requestsPerTurn) this.#countTurns();
  }

  #add(waiting: Waiting): void {
    const { workspace } = waiting.owner;
    const doors = this.#waiting.get(workspace) ?? new TurnsOfOwners<Waiting>(({ owner }) => owner.door);
    doors.add(waiting);
    this.#waiting.set(workspace, doors);
  }

  /** Removes and returns the next request of the first workspace, which then moves to the end of the order. */
  #next(): Waiting | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [workspace, doors] = first;
    const next = doors.take();
    this.#waiting.delete(workspace);
    if (doors.size > 0) this.#waiting.set(workspace, doors);
    return next;
  }

  #leave(waiting: Waiting): void {
    const { workspace } = waiting.owner;
    const doors = this.#waiting.get(workspace);
    doors?.delete(waiting);
    if (doors?.size === 0) this.#waiting.delete(workspace);
  }
}
