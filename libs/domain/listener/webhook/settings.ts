// The bounds and defaults of what a webhook's owner may set.

/** Of an attempt, answer included, once it has a connection: a receiver that needs longer should answer first and work later. */
export const timeoutBounds = { min: 1_000, max: 30_000, default: 15_000 } as const;

/** Seconds for which the former signing keys go on signing beside a new one: a week is enough for any receiver to change over. */
export const overlapBounds = { min: 0, max: 7 * 24 * 60 * 60, default: 24 * 60 * 60 } as const;

/** Keys that an attempt is signed with: receivers look through all of them. */
export const signingKeysMax = 10;
