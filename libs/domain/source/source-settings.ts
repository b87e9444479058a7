// The settings by which a source's owner changes the limits and defaults of its runs.

export interface SourceSettings {
  /** The longest time of a run; hooks have another limit. */
  readonly timeoutMs?: number;
  /** Memory of the source's isolate. */
  readonly memoryMb?: number;
  /** Average requests per second to its endpoint that each gateway process accepts. */
  readonly rateLimit?: number;
  /** The most runs at the same time. */
  readonly concurrency?: number;
  /** false: `$emit` does nothing in the hooks `deploy` and `activate`. */
  readonly emitOnDeploy?: boolean;
}

/** The bounds and defaults of the numeric settings; `rateLimit` has no default. */
export const settingBounds = {
  timeoutMs: { min: 1_000, max: 300_000, default: 60_000 },
  // An empty isolate takes 5 MB; two of the largest fit into one process.
  memoryMb: { min: 32, max: 512, default: 128 },
  rateLimit: { min: 1, max: 10_000 },
  concurrency: { min: 1, max: 16, default: 1 },
} as const;

/** In an update: removes the rate limit. */
export const noRateLimit = 0;

/** The settings with the changes of an update. */
export function changedSettings(settings: SourceSettings = {}, changes: SourceSettings): SourceSettings {
  const { rateLimit, ...others } = { ...settings, ...changes };
  return rateLimit === undefined || rateLimit === noRateLimit ? others : { ...others, rateLimit };
}

/** Only the settings that are present; undefined: none is. */
export function settingsOf(requested: {
  readonly [Name in keyof SourceSettings]: SourceSettings[Name] | null | undefined;
}): SourceSettings | undefined {
  const present = Object.entries(requested).filter(([, value]) => value !== undefined && value !== null);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}
