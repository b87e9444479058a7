// A lane holds the attempts to one webhook at one url: those that wait for their turn, and those in flight.
import type { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Origin } from './attempt-slots.ts';
import type { AttemptKind, Reputation, Standing } from './reputation.ts';
import type { RateLimit } from './rate-limit.ts';

/** An item that waits for its turn in a lane. */
export interface LaneEntry {
  /** Starts one attempt, which will call `Lanes.attemptEnded` with this lane; false: there was nothing to start. */
  start(lane: Lane): boolean;
}

export interface Lane extends Readonly<LaneKey> {
  /** The owner of the webhook: workspaces take turns. */
  readonly workspace: string;
  readonly origin: Origin<Lane>;
  readonly waiting: Readonly<Record<AttemptKind, Fifo<LaneEntry>>>;
  readonly inFlight: Record<AttemptKind, number>;
  readonly reputation: Reputation;
  /** The standing under which its slots are counted; `#updateStanding` updates it from the reputation. */
  slotStanding: Standing;
  /** The tick of the watch at which it last answered, or its first request began. */
  lastAnswerTick: number;
  /** The kind of its last attempt: when a single slot is left, first attempts and retries take turns. */
  lastKind: AttemptKind;
  /** Whether its last answer took long: its starts are then paced separately from those of quick lanes. */
  isSlow: boolean;
  /** The most attempts in flight; undefined: only the service's limits apply. */
  inFlightMax: number | undefined;
  readonly rateLimit: RateLimit;
  /** Whether its webhook is deleted or has another url: the lane ends with its last attempt in flight. */
  isEnding: boolean;
}

/** The limits that the webhook's owner sets. */
export interface LanePolicy {
  readonly maxInFlight?: number | undefined;
  readonly rateLimit?: number | undefined;
}

/** The webhook for which a lane is created. */
export interface LaneOwner extends LaneKey, LanePolicy {
  readonly workspace: string;
}

/** Identifies a lane: a changed url means another, unknown receiver, so it has a separate lane. */
export interface LaneKey {
  readonly webhookId: string;
  readonly url: string;
}

/** A lane with fewer attempts in flight need not wait for a step: quick receivers never wait for slow ones. */
const atOnceMax = 8;

export const inFlightOf = ({ inFlight }: Lane): number => inFlight.first + inFlight.retry + inFlight.replay;
export const hasWaitingLive = ({ waiting }: Lane): boolean => waiting.first.length + waiting.retry.length > 0;
export const hasWaiting = (lane: Lane): boolean => hasWaitingLive(lane) || lane.waiting.replay.length > 0;
/** Whether the lane's next attempt need not wait for a step; replays always do, because live events come first. */
export const canSkipStep = (lane: Lane): boolean => inFlightOf(lane) < atOnceMax && hasWaitingLive(lane);
