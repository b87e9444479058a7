// Polls a replay until it has ended. A restart of the service does not end it: the replay continues afterwards.
import { setTimeout as delay } from 'node:timers/promises';
import type { Replay } from '../../../../libs/client/index.ts';
import { isTransient } from '../../failures/retry.ts';

export interface PollOptions {
  readonly readReplay: () => Promise<Replay>;
  readonly onProgress: (replay: Replay) => void;
  /** Called when the service stops answering, once until it answers again. */
  readonly onLost: (error: unknown) => void;
  /** Called when the service answers again. */
  readonly onResumed: () => void;
  readonly signal: AbortSignal;
  /** For tests. */
  readonly pollMs?: number;
}

/** The time between polls. */
const defaultPollMs = 500;

/** Returns the replay as last polled: ended, unless the signal came first. */
export async function pollUntilEnded(started: Replay, options: PollOptions): Promise<Replay> {
  const { readReplay, onProgress, onLost, onResumed, signal, pollMs = defaultPollMs } = options;
  let latest = started;
  let isLost = false;
  while (latest.ended_at_ms === null && !signal.aborted) {
    if (!isLost) onProgress(latest);
    await delay(pollMs, undefined, { signal }).catch(() => {});
    try {
      latest = await readReplay();
      if (isLost) onResumed();
      isLost = false;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (!isLost) onLost(error);
      isLost = true;
    }
  }
  return latest;
}
