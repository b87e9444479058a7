// Creates a lane: its receiver is unknown, and nothing waits.
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Origin } from './attempt-slots.ts';
import { Reputation } from './reputation.ts';
import type { Lane, LaneOwner } from './lane.ts';
import { RateLimit } from './rate-limit.ts';

interface NewLane {
  readonly origin: Origin<Lane>;
  readonly silencesMax: number;
  /** The rate limit of another lane of the webhook. */
  readonly rateLimit: RateLimit | undefined;
}

export function newLane({ webhookId, url, workspace }: LaneOwner, { origin, silencesMax, rateLimit }: NewLane): Lane {
  const reputation = new Reputation(silencesMax);
  return {
    webhookId,
    url,
    workspace,
    origin,
    waiting: { first: new Fifo(), retry: new Fifo(), replay: new Fifo() },
    inFlight: { first: 0, retry: 0, replay: 0 },
    reputation,
    slotStanding: reputation.standing,
    lastAnswerTick: 0,
    lastKind: 'retry',
    isSlow: false,
    inFlightMax: undefined,
    rateLimit: new RateLimit(rateLimit),
    isEnding: false,
  };
}
