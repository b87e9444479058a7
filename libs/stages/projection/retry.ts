// Retries after retryable port errors, with growing waits, until the work succeeds or the projection is stopped.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../domain/port-error.ts';
import { backoffMaxMs, recoveryBackoff } from '../loop/partition-loop.ts';

export interface RetryOptions {
  readonly stopped: AbortSignal;
  readonly retrying: (error: PortError, waitMs: number) => void;
}

/** Throws errors that a retry cannot fix, or the last error once stopped. */
export async function withRetry<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  for (const backoff = recoveryBackoff(); ;) {
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PortError && error.retryable) || options.stopped.aborted) throw error;
      if (performance.now() - began > backoffMaxMs) backoff.reset();
      const waitMs = backoff.next();
      options.retrying(error, waitMs);
      await delay(waitMs, undefined, { signal: options.stopped }).catch(() => undefined);
      if (options.stopped.aborted) throw error;
    }
  }
}
