// How a source is run, where its owner asks for something else than the defaults.

export interface SourceSettings {
  /** The longest that a run may take; hooks have a limit of their own. */
  readonly timeoutMs?: number;
  /** Of the source's isolate. */
  readonly memoryMb?: number;
  /** Requests to its endpoint a second, on average, that each gateway process takes. */
  readonly rateLimit?: number;
  /** How many of its runs may be under way at once. */
  readonly concurrency?: number;
}

/** What may be asked for, and what holds otherwise: `rateLimit` has no default. */
export const settingBounds = {
  timeoutMs: { min: 1_000, max: 300_000, default: 60_000 },
  // An empty isolate takes 5 MB; of the largest two have room in one process.
  memoryMb: { min: 32, max: 512, default: 128 },
  rateLimit: { min: 1, max: 10_000 },
  concurrency: { min: 1, max: 16, default: 1 },
} as const;

/** In an update: any rate again. */
export const noRateLimit = 0;

/** With what an update asks for in place of what there was. */
export function changedSettings(settings: SourceSettings = {}, asked: SourceSettings): SourceSettings {
  const { rateLimit, ...others } = { ...settings, ...asked };
  return rateLimit === undefined || rateLimit === noRateLimit ? others : { ...others, rateLimit };
}

/** Without those that were not asked for; undefined when none was. */
export function settingsOf(asked: { readonly [Name in keyof SourceSettings]: number | null | undefined }):
  SourceSettings | undefined {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
