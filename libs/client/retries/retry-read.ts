// Repeats a read for which the service is too busy: when its response says, and a few times at most.
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../api-error.ts';

const retriesMax = 3;
/** A response that asks for a longer wait is final, so that the caller knows at once. */
const retryWaitMsMax = 5_000;
/** For a 429 response that does not say when to retry. */
const defaultWaitSeconds = 1;
/** The random part of a wait: clients that were rejected together do not return together. */
const jitterMs = 500;

interface RetryOptions {
  /** No repeat begins later than this after the first request. */
  readonly limitMs: number;
  /** Ends a wait: AbortError is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** `read` throws ApiError. */
export async function retryRead<T>(read: () => Promise<T>, { limitMs, signal }: RetryOptions): Promise<T> {
  const startedAt = performance.now();
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (error) {
      const waitMs = retryWaitMsOf(error);
      const isFinal = waitMs === undefined || performance.now() - startedAt + waitMs > limitMs;
      if (retries === retriesMax || isFinal) throw error;
      await pause(waitMs, undefined, { signal });
    }
  }
}

/** Undefined: a repeat would not help, or only after more than `retryWaitMsMax`. */
function retryWaitMsOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfterSeconds } = error;
  const seconds = retryAfterSeconds ?? (status === 429 ? defaultWaitSeconds : undefined);
  if (seconds === undefined || (status !== 429 && status !== 503)) return undefined;
  const waitMs = Math.max(seconds, 0) * 1_000;
  return waitMs > retryWaitMsMax ? undefined : waitMs + Math.random() * jitterMs;
}
