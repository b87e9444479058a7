// Sources that were under way when a process died: each runs alone until it has shown that it was not the cause.

/** Sources that are remembered; beyond, the oldest are forgiven. */
const suspectsMax = 1_000;
/** How long a suspect waits for the one before it; a culprit is gone within seconds. */
const waitMaxMs = 10_000;

interface Waiting {
  readonly sourceId: string;
  readonly enter: (alone: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

export class Quarantine {
  readonly #suspects = new Set<string>();
  readonly #waitMs: number;
  #inside: { readonly sourceId: string; count: number } | undefined;
  #waiting: Waiting[] = [];

  constructor(waitMs = waitMaxMs) {
    this.#waitMs = waitMs;
  }

  suspect(sources: ReadonlySet<string>): void {
    for (const sourceId of sources) {
      this.#suspects.delete(sourceId);
      this.#suspects.add(sourceId);
    }
    for (const oldest of this.#suspects) {
      if (this.#suspects.size <= suspectsMax) break;
      this.#suspects.delete(oldest);
    }
  }

  /** Until its last invocation has left: a source's db lives in one process at a time. */
  holds(sourceId: string): boolean {
    return this.#suspects.has(sourceId) || this.#inside?.sourceId === sourceId;
  }

  /** True when the source has the place for itself; false when it took too long to get free. */
  enter(sourceId: string): Promise<boolean> {
    if (!this.#inside || this.#inside.sourceId === sourceId) {
      this.#inside ??= { sourceId, count: 0 };
      this.#inside.count++;
      return Promise.resolve(true);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => this.#giveUp(sourceId), this.#waitMs);
    this.#waiting.push({ sourceId, enter: resolve, timer });
    return promise;
  }

  /** After `enter` was true; true when it was the last. `innocent`: the invocation ended and the process lives. */
  leave(sourceId: string, innocent: boolean): boolean {
    if (innocent) this.#suspects.delete(sourceId);
    if (this.#inside?.sourceId !== sourceId || --this.#inside.count > 0) return false;
    this.#inside = undefined;
    const [next] = this.#waiting;
    if (next) this.#inside = { sourceId: next.sourceId, count: this.#release(next.sourceId, true) };
    return true;
  }

  #giveUp(sourceId: string): void {
    this.#suspects.delete(sourceId);
    this.#release(sourceId, false);
  }

  #release(sourceId: string, alone: boolean): number {
    const together = this.#waiting.filter((waiting) => waiting.sourceId === sourceId);
    this.#waiting = this.#waiting.filter((waiting) => waiting.sourceId !== sourceId);
    for (const waiting of together) {
      clearTimeout(waiting.timer);
      waiting.enter(alone);
    }
    return together.length;
  }
}
