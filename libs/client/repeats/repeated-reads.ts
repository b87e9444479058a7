// Repeats a read for which the service is too busy: when its response says, and a few times at most.
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../api-error.ts';

const repeatsMax = 3;
/** A response that asks for a longer wait is final, so that the caller knows at once. */
const waitMsMax = 5_000;
/** For a 429 response that does not say when to retry. */
const usualWaitSeconds = 1;
/** The random part of a wait: clients that were rejected together do not return together. */
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

/** Undefined: a repeat would not help, or only after more than `waitMsMax`. */
function waitMsOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfterSeconds } = error;
  const seconds = retryAfterSeconds ?? (status === 429 ? usualWaitSeconds : undefined);
  if (seconds === undefined || (status !== 429 && status !== 503)) return undefined;
  const waitMs = Math.max(seconds, 0) * 1_000;
  return waitMs > waitMsMax ? undefined : waitMs + Math.random() * jitterMs;
}
