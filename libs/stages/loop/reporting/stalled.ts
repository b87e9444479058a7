// Describes a stalled loop for health: for how long, and the failure after which it retries.

/** A quiet loop turns at least once a second: one that has not turned for this long is stalled, not slow. */
export const stalledAfterMs = 30_000;

/** A word with a file's path, a URL, or an address. */
const pathOrAddress = /^\W*\/|:\/\/|:\d{2,5}\b|\d+\.\d+\.\d+\.\d+/;

/** Health is open to everybody, so it leaves out files and addresses; the process's own log has them. */
export const withoutAddresses = (message: string): string =>
  message
    .split(' ')
    .filter((word) => !pathOrAddress.test(word))
    .join(' ');

export function stalledText(failure?: Error): string {
  const text = `its loop has not turned for ${stalledAfterMs / 1000} s`;
  if (failure === undefined) return text;
  return `${text}: ${withoutAddresses(failure.message)}`;
}
