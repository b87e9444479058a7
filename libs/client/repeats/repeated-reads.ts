// Asks again for a read that the service has no room for now: as late as its answer says, and a few times at most.
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../api-error.ts';

const repeatsMax = 3;
/** An answer that asks for more is final: whoever waits should know at once. */
const waitMsMax = 5_000;
/** For an answer 429 that does not say when. */
const usualWaitSeconds = 1;
/** Clients that were refused together do not come back together. */
const jitterMs = 500;

interface Patience {
  /** No repeat begins later than this after the first request. */
  readonly limitMs: number;
  /** Ends a wait: AbortError is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** `read` throws ApiError. */
export async function repeatedRead<T>(read: () => Promise<T>, { limitMs, signal }: Patience): Promise<T> {
  const startedAt = performance.now();
  for (let repeats = 0; ; repeats++) {
    try {
      return await read();
    } catch (error) {
      const waitMs = waitMsOf(error);
      const isLate = waitMs === undefined || performance.now() - startedAt + waitMs > limitMs;
      if (repeats === repeatsMax || isLate) throw error;
      await pause(waitMs, undefined, { signal });
    }
  }
}

/** Undefined: asking again would not help, or only later than anybody waits. */
function waitMsOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfterSeconds } = error;
  const seconds = retryAfterSeconds ?? (status === 429 ? usualWaitSeconds : undefined);
  if (seconds === undefined || (status !== 429 && status !== 503)) return undefined;
  const waitMs = Math.max(seconds, 0) * 1_000;
  return waitMs > waitMsMax ? undefined : waitMs + Math.random() * jitterMs;
}
