// Reads the `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3).

/** Far above the longest wait that is respected (a day), and small enough to be added to any time. */
const secondsMax = 1_000_000_000;

/** Seconds from `nowMs`, never negative; undefined when there is none or it cannot be read. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), secondsMax);
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
