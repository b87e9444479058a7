// Decides which failed calls are worth repeating, and repeats them.
import { setTimeout as pause } from 'node:timers/promises';
import { isApiError } from './explain.ts';

/** Whether the failure passes by itself: the service is away or overloaded, or the record is being changed. */
export function isTransient(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { status, code } = error;
  return status === null || status === 429 || status >= 500 || (status === 409 && code === 'busy');
}

const attemptsMax = 4;
/** More attempts if the service has gone away since the first one: it takes some seconds to start. */
const attemptsMaxOutage = 8;
const firstWaitMs = 500;

/** Repeats a call that is safe to repeat, if its outcome is unknown or the service asks for it. */
export async function withRetries<T>(call: () => Promise<T>, waitMs = firstWaitMs): Promise<T> {
  let isServiceDown = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      // Once an outcome is unknown, a refused connection does not settle it.
      const shouldRetry = isOutcomeUnknown(error) || (attempt > 1 && hasNoResponse(error));
      isServiceDown ||= shouldRetry && !isOutcomeUnknown(error);
      if (!shouldRetry || attempt >= (isServiceDown ? attemptsMaxOutage : attemptsMax)) throw error;
      await pause(waitMs * attempt);
    }
  }
}

const hasNoResponse = (error: unknown): boolean => isApiError(error) && error.status === null;

/**
 * Whether the outcome is unknown or the service asks to repeat the call. A refused connection is neither: if nothing
 * listens, nothing was done.
 */
function isOutcomeUnknown(error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.status === 503) return true;
  return error.status === null && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET';
}
