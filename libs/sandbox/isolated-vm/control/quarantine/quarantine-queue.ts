// Queues the invocations that wait for a process of their own: by rank, and callers of equal rank take turns.
import type { Invocation, InvocationOutcome } from '../../../sandbox.ts';

export interface Waiting {
  readonly invocation: Invocation;
  readonly resolve: (outcome: InvocationOutcome) => void;
}

/** The caller, for taking turns: the workspace if it is known, else the source. */
export const callerOf = ({ workspace, sourceId }: Invocation): string => workspace ?? sourceId;

export class QuarantineQueue {
  /** Oldest first. */
  #waiting: Waiting[] = [];
  /** When each waiting caller was last served, or joined: returning often gives a caller no advantage. */
  readonly #served = new Map<string, number>();
  #turn = 0;

  get size(): number {
    return this.#waiting.length;
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    const caller = callerOf(waiting.invocation);
    if (!this.#served.has(caller)) this.#served.set(caller, ++this.#turn);
  }

  /**
   * Removes and returns the next invocation that has a rank: lowest rank, then caller served longest ago, then oldest.
   * Ranks all waiting invocations, whose number is limited.
   */
  take(rank: (invocation: Invocation) => number | undefined): Waiting | undefined {
    let best: { readonly waiting: Waiting; readonly rank: number; readonly served: number } | undefined;
    for (const waiting of this.#waiting) {
      const own = rank(waiting.invocation);
      const served = this.#served.get(callerOf(waiting.invocation)) ?? 0;
      if (own === undefined || (best && (own > best.rank || (own === best.rank && served >= best.served)))) continue;
      best = { waiting, rank: own, served };
    }
    if (best) this.#serve(best.waiting);
    return best?.waiting;
  }

  /** Removes and returns the invocations of a source, or all. */
  remove(sourceId?: string): readonly Waiting[] {
    const isMeant = ({ invocation }: Waiting): boolean => sourceId === undefined || invocation.sourceId === sourceId;
    const removed = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((waiting) => !isMeant(waiting));
    this.#forget();
    return removed;
  }

  #serve(served: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== served);
    this.#served.set(callerOf(served.invocation), ++this.#turn);
    this.#forget();
  }

  #forget(): void {
    const callers = new Set(this.#waiting.map(({ invocation }) => callerOf(invocation)));
    for (const caller of this.#served.keys()) if (!callers.has(caller)) this.#served.delete(caller);
  }
}
