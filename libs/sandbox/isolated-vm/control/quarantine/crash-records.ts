// Keeps the crash record of each source: whether it was under way when a process died, whether it was alone there, and
// how it has run since.

/**
 * `suspect`: was under way when a shared process died. `stopped`: its last end alone was at a limit.
 * `culprit`: its process died while it was alone in it.
 */
export type Suspicion = 'free' | 'suspect' | 'stopped' | 'culprit';

/** Sources with a record; if there are more, the least recently used records are dropped. */
const rememberedMax = 10_000;
/** Clean ends alone that a source needs after its first crash; each further crash doubles them. */
const culpritEnds = 20;
const doublingsMax = 6;
/** A source that is suspected again within this time needs more clean ends, up to as many as a culprit. */
const suspicionMs = 10 * 60_000;

interface Held {
  crashes: number;
  suspicions: number;
  suspectedAt: number;
  /** Clean ends that the source still needs to leave the quarantine. */
  needed: number;
  /** Consecutive deaths of its process, while it was alone there, that might have another cause. */
  doubts: number;
  /** Whether its last end alone was at a limit of time or memory. */
  isStopped: boolean;
}

const newRecord = (): Held => ({
  crashes: 0,
  suspicions: 0,
  suspectedAt: 0,
  needed: 0,
  doubts: 0,
  isStopped: false,
});

export class CrashRecords {
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  of(sourceId: string): Suspicion {
    const held = this.#held.get(sourceId);
    if (!held || held.needed === 0) return 'free';
    if (held.crashes > 0) return 'culprit';
    return held.isStopped ? 'stopped' : 'suspect';
  }

  /** Call when a shared process died while the source was under way there. */
  suspect(sourceId: string): void {
    const held = this.#touch(sourceId);
    const now = this.#now();
    if (now - held.suspectedAt > suspicionMs) held.suspicions = 0;
    held.suspectedAt = now;
    held.needed = Math.max(held.needed, Math.min(2 ** held.suspicions++, culpritEnds));
  }

  /** Call when the source, alone in a process, ended at a limit of time or memory, so that others had to wait. */
  stop(sourceId: string): void {
    this.suspect(sourceId);
    this.#touch(sourceId).isStopped = true;
  }

  /** Call when its process died while the source was alone in it. */
  convict(sourceId: string): void {
    const held = this.#touch(sourceId);
    held.doubts = 0;
    held.needed = culpritEnds * 2 ** Math.min(held.crashes++, doublingsMax);
  }

  /** Call if its process died, maybe for another reason, while the source was alone. Returns how often in a row. */
  doubt(sourceId: string): number {
    return ++this.#touch(sourceId).doubts;
  }

  /** Call when an invocation finished or threw, alone, and its process still lives. */
  clear(sourceId: string): void {
    if (!this.#held.has(sourceId)) return;
    const held = this.#touch(sourceId);
    held.doubts = 0;
    held.isStopped = false;
    held.needed = Math.max(0, held.needed - 1);
  }

  #touch(sourceId: string): Held {
    const held = this.#held.get(sourceId) ?? newRecord();
    this.#held.delete(sourceId);
    this.#held.set(sourceId, held);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= rememberedMax) break;
      this.#held.delete(oldest);
    }
    return held;
  }
}
