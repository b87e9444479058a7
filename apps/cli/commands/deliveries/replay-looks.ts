// Polls a replay until it has ended. A restart of the service does not end it: the replay continues afterwards.
import { setTimeout as delay } from 'node:timers/promises';
import type { Replay } from '../../../../libs/client/index.ts';
import { isPassing } from '../../failures/repeating.ts';

export interface Looking {
  readonly look: () => Promise<Replay>;
  readonly onSeen: (replay: Replay) => void;
  /** Called when the service stops answering, once until it answers again. */
  readonly onLost: (error: unknown) => void;
  /** Called when the service answers again. */
  readonly onResumed: () => void;
  readonly signal: AbortSignal;
  /** For tests. */
  readonly lookMs?: number;
}

/** The time between polls. */
const defaultLookMs = 500;

/** Returns the replay as last polled: ended, unless the signal came first. */
export async function lastSeen(begun: Replay, looking: Looking): Promise<Replay> {
  const { look, onSeen, onLost, onResumed, signal, lookMs = defaultLookMs } = looking;
  let seen = begun;
  let isLost = false;
  while (seen.ended_at_ms === null && !signal.aborted) {
    if (!isLost) onSeen(seen);
    await delay(lookMs, undefined, { signal }).catch(() => {});
    try {
      seen = await look();
      if (isLost) onResumed();
      isLost = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isLost) onLost(error);
      isLost = true;
    }
  }
  return seen;
}
