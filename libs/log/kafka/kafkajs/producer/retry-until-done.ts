// Repeats a request to brokers until it is done: for idempotent requests, and for those that a broker has refused.
import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '../../../../primitives/backoff.ts';
import { brokerErrorType, isCoordinatorBusy, canRetry } from '../client/kafka-errors.ts';

export interface RetryOptions<T> {
  readonly attempt: () => Promise<T>;
  /** Called between attempts, unless the broker was only busy: finds the current coordinator and leaders. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /** `answered`: only after a broker has said that it was not done. */
  readonly retryWhen: 'always' | 'answered';
  /** Whether the client was ended: its caller has one time limit for all attempts. */
  readonly isEnded: () => boolean;
}

/** A coordinator writes its markers in a millisecond or two; an election takes tens of milliseconds. */
const firstPauseMs = 1;
const longestPauseMs = 100;

/** Throws errors that a retry cannot fix. */
export async function retryUntilDone<T>({ attempt, onFailure, retryWhen, isEnded }: RetryOptions<T>): Promise<T> {
  for (const backoff = new Backoff(firstPauseMs, longestPauseMs); ;) {
    try {
      return await attempt();
    } catch (error) {
      const shouldRetry = canRetry(error) && (retryWhen === 'always' || brokerErrorType(error) !== undefined);
      if (!shouldRetry || isEnded()) throw error;
      await delay(backoff.next());
      if (isEnded()) throw error;
      if (!isCoordinatorBusy(error)) await onFailure(error).catch(() => undefined);
    }
  }
}
