// Keeps the crash record of each source: whether it was under way when a process died, whether it was alone there, and
// how it has run since.

/**
 * `suspect`: was under way when a shared process died. `stopped`: its last end alone was at a limit.
 * `culprit`: its process died while it was alone in it.
 */
export type Suspicion = 'free' | 'suspect' | 'stopped' | 'culprit';

/** Sources with a record; if there are more, the least recently used records are dropped. */
const recordsMax = 10_000;
/** Clean ends alone that a source needs after its first crash; each further crash doubles them. */
const culpritCleanEnds = 20;
const doublingsMax = 6;
/** A source that is suspected again within this time needs more clean ends, up to as many as a culprit. */
const suspicionMs = 10 * 60_000;

interface CrashRecord {
  crashes: number;
  suspicions: number;
  suspectedAt: number;
  /** Clean ends that the source still needs to leave the quarantine. */
  cleanEndsNeeded: number;
  /** Consecutive deaths of its process, while it was alone there, that might have another cause. */
  doubtfulDeaths: number;
  /** Whether its last end alone was at a limit of time or memory. */
  isStopped: boolean;
}

const newRecord = (): CrashRecord => ({
  crashes: 0,
  suspicions: 0,
  suspectedAt: 0,
  cleanEndsNeeded: 0,
  doubtfulDeaths: 0,
  isStopped: false,
});

export class CrashRecords {
  readonly #records = new Map<string, CrashRecord>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  suspicionOf(sourceId: string): Suspicion {
    const record = this.#records.get(sourceId);
    if (!record || record.cleanEndsNeeded === 0) return 'free';
    if (record.crashes > 0) return 'culprit';
    return record.isStopped ? 'stopped' : 'suspect';
  }

  /** Call when a shared process died while the source was under way there. */
  recordSuspicion(sourceId: string): void {
    const record = this.#touch(sourceId);
    const now = this.#now();
    if (now - record.suspectedAt > suspicionMs) record.suspicions = 0;
    record.suspectedAt = now;
    record.cleanEndsNeeded = Math.max(record.cleanEndsNeeded, Math.min(2 ** record.suspicions++, culpritCleanEnds));
  }

  /** Call when the source, alone in a process, ended at a limit of time or memory, so that others had to wait. */
  recordStop(sourceId: string): void {
    this.recordSuspicion(sourceId);
    this.#touch(sourceId).isStopped = true;
  }

  /** Call when its process died while the source was alone in it. */
  recordCrash(sourceId: string): void {
    const record = this.#touch(sourceId);
    record.doubtfulDeaths = 0;
    record.cleanEndsNeeded = culpritCleanEnds * 2 ** Math.min(record.crashes++, doublingsMax);
  }

  /** Call if its process died, maybe for another reason, while the source was alone. Returns how often in a row. */
  recordDoubtfulDeath(sourceId: string): number {
    return ++this.#touch(sourceId).doubtfulDeaths;
  }

  /** Call when an invocation finished or threw, alone, and its process still lives. */
  recordCleanEnd(sourceId: string): void {
    if (!this.#records.has(sourceId)) return;
    const record = this.#touch(sourceId);
    record.doubtfulDeaths = 0;
    record.isStopped = false;
    record.cleanEndsNeeded = Math.max(0, record.cleanEndsNeeded - 1);
  }

  #touch(sourceId: string): CrashRecord {
    const record = this.#records.get(sourceId) ?? newRecord();
    this.#records.delete(sourceId);
    this.#records.set(sourceId, record);
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= recordsMax) break;
      this.#records.delete(oldest);
    }
    return record;
  }
}
