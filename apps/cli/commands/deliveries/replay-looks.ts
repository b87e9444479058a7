// Looks at a replay until it has ended, also across restarts of the service: the replay continues after them.
import { setTimeout as delay } from 'node:timers/promises';
import type { Replay } from '../../../../libs/client/index.ts';
import { isPassing } from '../../failures/repeating.ts';

export interface Looking {
  readonly look: () => Promise<Replay>;
  readonly onSeen: (replay: Replay) => void;
  /** Called once for each time that the service cannot say. */
  readonly onLost: (error: unknown) => void;
  /** Called once it can. */
  readonly onResumed: () => void;
  readonly signal: AbortSignal;
  /** For tests. */
  readonly lookMs?: number;
}

/** Between looks at how far it is. */
const defaultLookMs = 500;

/** As it was seen last: ended, unless the signal came first. */
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
