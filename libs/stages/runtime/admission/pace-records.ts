// Rates each source's pace from its recent runs: quick, waiting, or heavy on the processor.

/** `new`: none of its runs is remembered. `waiting`, `heavy`: a long run, and too few quick ones since. */
export type SourcePace = 'new' | 'quick' | 'waiting' | 'heavy';

export interface PaceLimits {
  /** A run that lasts longer is a long one. */
  readonly quickMs: number;
  /** A run that takes more processor time than this is long as well. */
  readonly quickCpuMs: number;
  /** Above this a source is `heavy`: only a few such sources run at once. */
  readonly heavyCpuMs: number;
}

/** The most sources remembered, at about 100 bytes each; beyond it, those unchanged for longest count as new again. */
const rememberedMax = 50_000;
/** The quick runs in a row after which a long one is forgotten, so that being quick now and then does not help. */
const quickRunsToForgive = 3;

interface PaceRecord {
  /** How many quick runs are missing until the source counts as quick. */
  quickRunsMissing: number;
  isHeavy: boolean;
}

export class PaceRecords {
  readonly #limits: PaceLimits;
  readonly #records = new Map<string, PaceRecord>();

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  of(sourceId: string): SourcePace {
    const record = this.#records.get(sourceId);
    if (record === undefined) return 'new';
    if (record.quickRunsMissing === 0) return 'quick';
    return record.isHeavy ? 'heavy' : 'waiting';
  }

  /** Notes how a run of the source ended. */
  note(sourceId: string, { durationMs, cpuMs }: { readonly durationMs: number; readonly cpuMs: number }): void {
    const { quickMs, quickCpuMs, heavyCpuMs } = this.#limits;
    const isLong = durationMs > quickMs || cpuMs > quickCpuMs;
    const record = this.#records.get(sourceId);
    if (record !== undefined && !isLong && record.quickRunsMissing === 0) return;
    this.#records.delete(sourceId);
    const quickRunsMissing = isLong ? quickRunsToForgive : Math.max(0, (record?.quickRunsMissing ?? 0) - 1);
    const isHeavy = isLong ? cpuMs > heavyCpuMs : (record?.isHeavy ?? false);
    this.#records.set(sourceId, { quickRunsMissing, isHeavy });
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= rememberedMax) break;
      this.#records.delete(oldest);
    }
  }
}
