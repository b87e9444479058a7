// Lets few requests begin in each turn of the event loop, so that new requests cannot starve the work already accepted.
import type { IncomingMessage } from 'node:http';
import { FairQueue } from '../../../primitives/sharing/fair-queue.ts';
import { stoppingProblem } from '../http/api-problem.ts';
import { onDisconnect } from '../http/client-disconnect.ts';
import type { BudgetOwner } from '../http/limits/byte-budget.ts';

/**
 * All others wait for the next turn. In each turn runs and deliveries progress as far as they can, but a request needs
 * several turns: a thousand that begin at once would leave hardly any time to process the events that they bring.
 */
export const requestsPerTurn = 4;

interface WaitingRequest {
  readonly owner: BudgetOwner;
  readonly begin: () => void;
  readonly refuse: (why: Error) => void;
}

/** Workspaces take turns, and so do the traffic classes of each. Open connections bound how many requests wait. */
export class RequestTurns {
  /** By workspace, in the order of their turns. */
  readonly #queues = new Map<string, FairQueue<WaitingRequest>>();
  #remaining = requestsPerTurn;
  #isTurnScheduled = false;
  #isClosed = false;

  get waitingCount(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.size;
    return count;
  }

  /** Resolves when the request can begin; never, if its client leaves before. Throws ApiProblem 503 after `close`. */
  async waitForTurn(message: IncomingMessage, owner: BudgetOwner): Promise<void> {
    if (this.#isClosed) throw stoppingProblem();
    this.#scheduleTurn();
    if (this.#remaining > 0) return void this.#remaining--;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waitingRequest = { owner, begin: resolve, refuse: reject };
    this.#enqueue(waitingRequest);
    const stopListening = onDisconnect(message, () => this.#remove(waitingRequest));
    await promise.finally(stopListening);
  }

  /** Rejects all waiting requests, which would be cut off otherwise; those that have begun get the remaining time. */
  close(): void {
    this.#isClosed = true;
    for (const queue of this.#queues.values()) for (const { refuse } of queue) refuse(stoppingProblem());
    this.#queues.clear();
  }

  /** Counts turns of the event loop as long as requests begin. */
  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    setImmediate(() => this.#runTurn());
  }

  #runTurn(): void {
    this.#isTurnScheduled = false;
    this.#remaining = requestsPerTurn;
    while (this.#remaining > 0 && this.#queues.size > 0) {
      this.#remaining--;
      this.#dequeue()?.begin();
    }
    if (this.#remaining < requestsPerTurn) this.#scheduleTurn();
  }

  #enqueue(waitingRequest: WaitingRequest): void {
    const { workspace } = waitingRequest.owner;
    const queue = this.#queues.get(workspace) ?? new FairQueue<WaitingRequest>(({ owner }) => owner.trafficClass);
    queue.add(waitingRequest);
    this.#queues.set(workspace, queue);
  }

  /** Removes and returns the next request of the first workspace, which then moves to the end of the order. */
  #dequeue(): WaitingRequest | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [workspace, queue] = first;
    const next = queue.take();
    this.#queues.delete(workspace);
    if (queue.size > 0) this.#queues.set(workspace, queue);
    return next;
  }

  #remove(waitingRequest: WaitingRequest): void {
    const { workspace } = waitingRequest.owner;
    const queue = this.#queues.get(workspace);
    queue?.delete(waitingRequest);
    if (queue?.size === 0) this.#queues.delete(workspace);
  }
}
