// Tells a repeat from a conflict: the same request gives the same fingerprint, whatever the order of its fields.
import { createHmac } from 'node:crypto';

/**
 * Hex HMAC-SHA256 of the canonical request. Keyed with the workspace's data key, because requests hold secrets that
 * could be guessed from a bare hash on the log.
 */
export function fingerprintOf(dataKey: Buffer, resource: string, request: unknown): string {
  return createHmac('sha256', dataKey)
    .update(JSON.stringify([resource, canonical(request)]))
    .digest('hex');
}

/** Sorts names at every depth; the depth was bounded when the request came in. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, canonical(inner)]));
}
