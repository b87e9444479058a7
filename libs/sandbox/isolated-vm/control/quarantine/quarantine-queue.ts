// Queues the invocations that wait for a process of their own: by rank, and callers of equal rank take turns.
import type { Invocation, InvocationOutcome } from '../../../sandbox.ts';

export interface QueuedInvocation {
  readonly invocation: Invocation;
  readonly resolve: (outcome: InvocationOutcome) => void;
}

/** The caller, for taking turns: the workspace if it is known, else the source. */
export const callerOf = ({ workspace, sourceId }: Invocation): string => workspace ?? sourceId;

export class QuarantineQueue {
  /** Oldest first. */
  #queue: QueuedInvocation[] = [];
  /** When each waiting caller was last served, or joined: returning often gives a caller no advantage. */
  readonly #servedTurns = new Map<string, number>();
  #turn = 0;

  get size(): number {
    return this.#queue.length;
  }

  add(queued: QueuedInvocation): void {
    this.#queue.push(queued);
    const caller = callerOf(queued.invocation);
    if (!this.#servedTurns.has(caller)) this.#servedTurns.set(caller, ++this.#turn);
  }

  /**
   * Removes and returns the next invocation that has a rank: lowest rank, then caller served longest ago, then oldest.
   * Ranks all waiting invocations, whose number is limited.
   */
  takeNext(rank: (invocation: Invocation) => number | undefined): QueuedInvocation | undefined {
    let best: { readonly queued: QueuedInvocation; readonly rank: number; readonly served: number } | undefined;
    for (const queued of this.#queue) {
      const ownRank = rank(queued.invocation);
      const served = this.#servedTurns.get(callerOf(queued.invocation)) ?? 0;
      if (ownRank === undefined || (best && (ownRank > best.rank || (ownRank === best.rank && served >= best.served))))
        continue;
      best = { queued, rank: ownRank, served };
    }
    if (best) this.#dequeue(best.queued);
    return best?.queued;
  }

  /** Removes and returns the invocations of a source, or all. */
  remove(sourceId?: string): readonly QueuedInvocation[] {
    const isMatch = ({ invocation }: QueuedInvocation): boolean =>
      sourceId === undefined || invocation.sourceId === sourceId;
    const removed = this.#queue.filter(isMatch);
    this.#queue = this.#queue.filter((queued) => !isMatch(queued));
    this.#pruneCallers();
    return removed;
  }

  #dequeue(dequeued: QueuedInvocation): void {
    this.#queue = this.#queue.filter((queued) => queued !== dequeued);
    this.#servedTurns.set(callerOf(dequeued.invocation), ++this.#turn);
    this.#pruneCallers();
  }

  #pruneCallers(): void {
    const callers = new Set(this.#queue.map(({ invocation }) => callerOf(invocation)));
    for (const caller of this.#servedTurns.keys()) if (!callers.has(caller)) this.#servedTurns.delete(caller);
  }
}
