// What is known of sources from how their runs ended: who is quick, who waits, and who needs the processor for long.

/** `new`: it has not run since the process began, or has not shown yet that it is quick again. */
export type Standing = 'new' | 'quick' | 'waiting' | 'heavy';

export interface StandingLimits {
  /** A run that lasts longer is a long one. */
  readonly quickMs: number;
  /** As is one that takes more processor time than this. */
  readonly quickCpuMs: number;
  /** Above, a source is one of those that only a few of run at once. */
  readonly heavyCpuMs: number;
}

/** Sources that are remembered, at about 100 bytes each; beyond, those of which nothing changed for longest are new again. */
const rememberedMax = 50_000;
/** Quick runs in a row after which a long one is forgotten, so that being quick now and then is no use. */
const forgivenAfter = 3;

interface Known {
  /** Quick runs that are still missing. */
  missing: number;
  heavy: boolean;
}

export class PaceRecords {
  readonly #limits: StandingLimits;
  readonly #known = new Map<string, Known>();

  constructor(limits: StandingLimits) {
    this.#limits = limits;
  }

  of(sourceId: string): Standing {
    const known = this.#known.get(sourceId);
    if (known === undefined) return 'new';
    if (known.missing === 0) return 'quick';
    return known.heavy ? 'heavy' : 'waiting';
  }

  /** How a run of it ended. */
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
