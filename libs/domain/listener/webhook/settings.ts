// The bounds and defaults of a webhook's settings.
import type { SettingWithDefault } from '../messages.ts';

/** Ms of an attempt from having a connection to the response's end. Slow receivers should respond before they work. */
export const timeoutBounds = { min: 1_000, max: 30_000, default: 15_000 } as const;

/** Seconds for which former signing keys still sign: within a week, any receiver can change to the new one. */
export const overlapBounds = { min: 0, max: 7 * 24 * 60 * 60, default: 24 * 60 * 60 } as const;

/** The most keys that sign an attempt: receivers try all of the signatures. */
export const signingKeysMax = 10;

/** Attempts in flight to one webhook from each delivery process. */
export const inFlightBounds = { min: 1, max: 256 } as const;

/** Attempts a second to one webhook from each delivery process. */
export const rateBounds = { min: 1, max: 10_000 } as const;

const settingsWithDefault: ReadonlySet<string> = new Set<SettingWithDefault>([
  'timeoutMs',
  'onExhausted',
  'orderKey',
  'maxInFlight',
  'rateLimit',
]);

/** Removes the settings that were reset to their default. */
export const withoutDefaults = <S extends object>(settings: S): S =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== null || !settingsWithDefault.has(name)),
  ) as S;
