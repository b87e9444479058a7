// The attempts to one webhook at one url: those that wait for their turn, and those in flight.
import type { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Origin } from './attempt-places.ts';
import type { AttemptKind, Reputation, Standing } from './reputation.ts';
import type { RateLimit } from './rate-limit.ts';

/** Something that waits for its turn in a lane. */
export interface Waiting {
  /** Starts one attempt, which will call `Lanes.ended` with this lane; false: there is nothing left to start here. */
  start(lane: Lane): boolean;
}

export interface Lane extends Readonly<LaneKey> {
  /** Whose it is: workspaces take turns. */
  readonly workspace: string;
  readonly origin: Origin<Lane>;
  readonly waiting: Readonly<Record<AttemptKind, Fifo<Waiting>>>;
  readonly inFlight: Record<AttemptKind, number>;
  readonly reputation: Reputation;
  /** The standing under which its places are booked; `#settle` keeps it in step with the reputation. */
  account: Standing;
  /** The tick of the watch at which it last answered, or was first asked. */
  heardAt: number;
  /** The kind of its last attempt: where a single place is left, first attempts and retries take turns. */
  lastKind: AttemptKind;
  /** Its last answer took long: its starts are paced separately from those of quick lanes. */
  slow: boolean;
  /** How many of its attempts may be in flight; undefined: only the service's limits apply. */
  inFlightMax: number | undefined;
  readonly rateLimit: RateLimit;
  /** Its webhook is deleted, or has another url: the lane ends with its last attempt in flight. */
  gone: boolean;
}

/** The limits that the webhook's owner sets. */
export interface LanePolicy {
  readonly maxInFlight?: number | undefined;
  readonly rateLimit?: number | undefined;
}

/** What a lane is made for. */
export interface LaneOwner extends LaneKey, LanePolicy {
  readonly workspace: string;
}

/** A changed url is another, unknown receiver, so it has a separate lane. */
export interface LaneKey {
  readonly webhookId: string;
  readonly url: string;
}

/** A lane with fewer in flight need not wait for a step: quick receivers never queue behind a burst of slow ones. */
const atOnceMax = 8;

export const inFlightOf = ({ inFlight }: Lane): number => inFlight.first + inFlight.retry + inFlight.replay;
export const hasLiveWaiting = ({ waiting }: Lane): boolean => waiting.first.length + waiting.retry.length > 0;
export const hasWaiting = (lane: Lane): boolean => hasLiveWaiting(lane) || lane.waiting.replay.length > 0;
/** Replays always wait for a step: live events come first. */
export const needNotWait = (lane: Lane): boolean => inFlightOf(lane) < atOnceMax && hasLiveWaiting(lane);
