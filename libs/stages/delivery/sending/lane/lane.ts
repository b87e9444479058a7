// What is sent to one webhook at one url: it waits there for its turn, and is in flight from there.
import type { Fifo } from '../../../../primitives/fifo.ts';
import type { Origin } from '../places.ts';
import type { AttemptKind, Reputation, Standing } from '../reputation.ts';
import type { Pace } from './pace.ts';

/** Something that waits for its turn in a lane. */
export interface Waiting {
  /** Starts one attempt, which will call `Lanes.ended` with this lane; false: there is nothing left to start here. */
  start(lane: Lane): boolean;
}

export interface Lane extends Readonly<LaneKey> {
  readonly origin: Origin<Lane>;
  readonly waiting: Readonly<Record<AttemptKind, Fifo<Waiting>>>;
  readonly inFlight: Record<AttemptKind, number>;
  readonly reputation: Reputation;
  /** The standing that its places are booked under; `#settle` makes it follow its reputation. */
  account: Standing;
  /** The tick of the watch at which it last answered, or was first asked. */
  heardAt: number;
  /** The kind of its last attempt, for when both kinds take turns. */
  lastKind: AttemptKind;
  /** Its last answer took long: its starts are paced, apart from those of quick lanes. */
  slow: boolean;
  /** How many of its attempts may be in flight; undefined: the service's bounds alone. */
  inFlightMax: number | undefined;
  readonly pace: Pace;
  /** Its webhook is deleted, or has another url: it ends with what is in flight. */
  gone: boolean;
}

/** What its owner allows. */
export interface LanePolicy {
  readonly maxInFlight?: number | undefined;
  readonly rateLimit?: number | undefined;
}

/** A changed url is another receiver, of which nothing is known yet: it has a lane of its own. */
export interface LaneKey {
  readonly webhookId: string;
  readonly url: string;
}
