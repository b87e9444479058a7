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
const forgivenAfter = 3;

interface Known {
  /** How many quick runs are missing until the source counts as quick. */
  missing: number;
  heavy: boolean;
}

export class PaceRecords {
  readonly #limits: PaceLimits;
  readonly #known = new Map<string, Known>();

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  of(sourceId: string): SourcePace {
    const known = this.#known.get(sourceId);
    if (known === undefined) return 'new';
    if (known.missing === 0) return 'quick';
    return known.heavy ? 'heavy' : 'waiting';
  }

  /** Notes how a run of the source ended. */
  note(sourceId: string, { durationMs, cpuMs }: { readonly durationMs: number; readonly cpuMs: number }): void {
    const { quickMs, quickCpuMs, heavyCpuMs } = this.#limits;
    const isLong = durationMs > quickMs || cpuMs > quickCpuMs;
    const known = this.#known.get(sourceId);
    if (known !== undefined && !isLong && known.missing === 0) return;
    this.#known.delete(sourceId);
    const missing = isLong ? forgivenAfter : Math.max(0, (known?.missing ?? 0) - 1);
    const heavy = isLong ? cpuMs > heavyCpuMs : (known?.heavy ?? false);
    this.#known.set(sourceId, { missing, heavy });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= rememberedMax) break;
      this.#known.delete(oldest);
    }
  }
}
