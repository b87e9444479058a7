// The bounds and defaults of what a webhook's owner may set.
import type { SettingWithDefault } from '../messages.ts';

/**
 * Milliseconds that an attempt may take once it has a connection, up to the end of the answer: a receiver that needs longer
 * should answer first and work later.
 */
export const timeoutBounds = { min: 1_000, max: 30_000, default: 15_000 } as const;

/** Seconds for which the former signing keys go on signing beside a new one: a week is enough for any receiver to change over. */
export const overlapBounds = { min: 0, max: 7 * 24 * 60 * 60, default: 24 * 60 * 60 } as const;

/** Keys that an attempt is signed with: receivers look through all of them. */
export const signingKeysMax = 10;

/** Attempts in flight to one webhook from each delivery process. */
export const inFlightBounds = { min: 1, max: 256 } as const;

/** Attempts a second to one webhook from each delivery process. */
export const rateBounds = { min: 1, max: 10_000 } as const;

const withDefault: ReadonlySet<string> = new Set<SettingWithDefault>([
  'timeoutMs',
  'onExhausted',
  'orderKey',
  'maxInFlight',
  'rateLimit',
]);

/** The settings without those that a change sets to null, which have their defaults again. */
export const withoutDefaults = <S extends object>(settings: S): S =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== null || !withDefault.has(name))) as S;
