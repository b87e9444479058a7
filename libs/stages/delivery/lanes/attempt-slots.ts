// Counts the process's slots by kind of attempt, and connections by origin, with a share of both for each standing.
import type { DeliveryLimits } from '../delivery-limits.ts';
import { FairQueue } from '../../../primitives/sharing/fair-queue.ts';
import { kinds, standings } from './reputation.ts';
import type { AttemptKind, Standing } from './reputation.ts';

export type AttemptSlotLimits = Pick<
  DeliveryLimits,
  | 'firstInFlightMax'
  | 'retryInFlightMax'
  | 'firstDoubtfulMax'
  | 'retryDoubtfulMax'
  | 'silentInFlightMax'
  | 'replayInFlightMax'
  | 'replayDoubtfulMax'
  | 'replaySilentMax'
  | 'originAnsweringMax'
  | 'originDoubtfulMax'
  | 'originSilentMax'
>;

/** One scheme, host and port, and the webhooks there. */
export interface Origin<L> {
  readonly name: string;
  /** How many webhooks the origin has. */
  laneCount: number;
  /**
   * The highest `max_in_flight` of a webhook there: the origin has at least that many connections. It
   * remains as long as the origin has webhooks, since others can use these connections too.
   */
  connectionsMax: number;
  readonly inUse: Record<Standing, number>;
  /** Connections that replays use. */
  readonly replaying: Record<Standing, number>;
  /** Lanes that wait for a connection ... */
  readonly waiting: Readonly<Record<Standing, FairQueue<L>>>;
  /** ... and those whose replay waits for the connections for replays: only the end of a replay's attempt helps. */
  readonly waitingReplays: Readonly<Record<Standing, FairQueue<L>>>;
}

/** The parts of a lane that `AttemptSlots` uses. */
interface SlotHolder<L> {
  readonly workspace: string;
  readonly origin: Origin<L>;
  readonly slotStanding: Standing;
  readonly inFlight: Readonly<Record<AttemptKind, number>>;
}

/**
 * A webhook that shares its origin can use at most this many times the connections that are left free. Of 64, the first
 * webhook that hangs takes at most 48, the next 12, and a webhook without a connection always finds one.
 */
const freeShareFactor = 3;
/** A webhook in doubt uses at most one slot for this many that are left free: it continues, and others can begin. */
const doubtfulPart = 8;
/** The part of an origin's connections that replays can use: the others stay free for new events. */
const replayPart = 0.3;

const perStanding = <T>(valueOf: (standing: Standing) => T): Record<Standing, T> => ({
  answering: valueOf('answering'),
  doubtful: valueOf('doubtful'),
  silent: valueOf('silent'),
});

/** Workspaces take turns: a lane never waits for all lanes of another workspace. */
const turnsByWorkspace = <L extends Pick<SlotHolder<L>, 'workspace'>>(): FairQueue<L> =>
  new FairQueue<L>(({ workspace }) => workspace);

export class AttemptSlots<L extends SlotHolder<L>> {
  readonly #origins = new Map<string, Origin<L>>();
  readonly #slotsMax: Readonly<Record<Standing, Readonly<Record<AttemptKind, number>>>>;
  readonly #freeSlots: Readonly<Record<Standing, Record<AttemptKind, number>>>;
  readonly #connectionsMax: Readonly<Record<Standing, number>>;
  /** Lanes that wait for a slot of the process. */
  readonly waitingForSlot = perStanding(() => ({
    first: turnsByWorkspace<L>(),
    retry: turnsByWorkspace<L>(),
    replay: turnsByWorkspace<L>(),
  }));

  constructor(limits: AttemptSlotLimits) {
    this.#slotsMax = {
      answering: {
        first: limits.firstInFlightMax,
        retry: limits.retryInFlightMax,
        replay: limits.replayInFlightMax,
      },
      doubtful: {
        first: limits.firstDoubtfulMax,
        retry: limits.retryDoubtfulMax,
        replay: limits.replayDoubtfulMax,
      },
      silent: {
        first: limits.silentInFlightMax,
        retry: limits.silentInFlightMax,
        replay: limits.replaySilentMax,
      },
    };
    this.#freeSlots = perStanding((standing) => ({ ...this.#slotsMax[standing] }));
    this.#connectionsMax = {
      answering: limits.originAnsweringMax,
      doubtful: limits.originDoubtfulMax,
      silent: limits.originSilentMax,
    };
  }

  originOf(name: string): Origin<L> {
    const known = this.#origins.get(name);
    if (known !== undefined) return known;
    const origin: Origin<L> = {
      name,
      laneCount: 0,
      connectionsMax: 0,
      inUse: perStanding(() => 0),
      replaying: perStanding(() => 0),
      waiting: perStanding(() => turnsByWorkspace<L>()),
      waitingReplays: perStanding(() => turnsByWorkspace<L>()),
    };
    this.#origins.set(name, origin);
    return origin;
  }

  /** Gives the origin at least `connectionsMax` connections: an owner can set more attempts at once than usual. */
  raiseConnectionsMax(origin: Origin<L>, connectionsMax: number): void {
    origin.connectionsMax = Math.max(origin.connectionsMax, connectionsMax);
  }

  #connectionsOf({ connectionsMax }: Origin<L>, standing: Standing): number {
    return standing === 'answering'
      ? Math.max(this.#connectionsMax.answering, connectionsMax)
      : this.#connectionsMax[standing];
  }

  take({ origin, slotStanding: standing }: L, kind: AttemptKind): void {
    this.#freeSlots[standing][kind]--;
    origin.inUse[standing]++;
    if (kind === 'replay') origin.replaying[standing]++;
  }

  release({ origin, slotStanding: standing }: L, kind: AttemptKind): void {
    this.#freeSlots[standing][kind]++;
    origin.inUse[standing]--;
    if (kind === 'replay') origin.replaying[standing]--;
  }

  /** Moves slots to another standing. If that is overdrawn, nothing begins there until enough slots are released. */
  move(
    { origin, slotStanding: standing }: L,
    { kind, count, to }: { kind: AttemptKind; count: number; to: Standing },
  ): void {
    this.#freeSlots[standing][kind] += count;
    this.#freeSlots[to][kind] -= count;
    origin.inUse[standing] -= count;
    origin.inUse[to] += count;
    if (kind !== 'replay') return;
    origin.replaying[standing] -= count;
    origin.replaying[to] += count;
  }

  takenCount(standing: Standing, kind: AttemptKind): number {
    return this.#slotsMax[standing][kind] - this.#freeSlots[standing][kind];
  }

  hasFreeSlot(standing: Standing, kind: AttemptKind): boolean {
    return this.#freeSlots[standing][kind] > 0;
  }

  /** Whether the lane can have another slot of the process. */
  canTakeSlot({ slotStanding: standing, inFlight }: L, kind: AttemptKind): boolean {
    const free = this.#freeSlots[standing][kind];
    return free > 0 && (standing !== 'doubtful' || inFlight[kind] === 0 || inFlight[kind] < free / doubtfulPart);
  }

  hasFreeConnection(origin: Origin<L>, standing: Standing): boolean {
    return origin.inUse[standing] < this.#connectionsOf(origin, standing);
  }

  /** Whether replays can use another connection of the origin. */
  hasReplayShare({ origin, slotStanding: standing }: Pick<L, 'origin' | 'slotStanding'>): boolean {
    return origin.replaying[standing] < this.#connectionsMax[standing] * replayPart;
  }

  /** Whether a lane with `inFlight` attempts can have another connection. */
  canConnect({ origin, slotStanding: standing }: L, inFlight: number): boolean {
    const free = this.#connectionsOf(origin, standing) - origin.inUse[standing];
    if (free <= 0) return false;
    if (inFlight === 0) return true;
    if (standing === 'silent') return false;
    // Every webhook of the origin might hang: each has an equal share, so that all of them can be tried.
    if (standing === 'doubtful') return inFlight < Math.floor(this.#connectionsMax.doubtful / origin.laneCount);
    return origin.laneCount === 1 || inFlight < freeShareFactor * free;
  }

  isLastConnection({ origin, slotStanding: standing }: L): boolean {
    return this.#connectionsOf(origin, standing) - origin.inUse[standing] <= 1;
  }

  /** Whether any lane waits for a slot or a connection that this lane releases. */
  isContested({ origin, slotStanding: standing }: L): boolean {
    const { first, retry, replay } = this.waitingForSlot[standing];
    const replays = this.hasReplayShare({ origin, slotStanding: standing }) ? origin.waitingReplays[standing].size : 0;
    return origin.waiting[standing].size + replays + first.size + retry.size + replay.size > 0;
  }

  /** Whether the doubtful standing has room for all that the lane has in flight. */
  fitsInDoubt({ origin, inFlight }: L): boolean {
    const { doubtful } = this.#freeSlots;
    const connections = this.#connectionsMax.doubtful - origin.inUse.doubtful;
    const all = kinds.reduce((sum, kind) => sum + inFlight[kind], 0);
    return all <= connections && kinds.every((kind) => inFlight[kind] <= doubtful[kind]);
  }

  removeLane(lane: L): void {
    const { origin } = lane;
    for (const standing of standings) {
      origin.waiting[standing].delete(lane);
      origin.waitingReplays[standing].delete(lane);
      for (const kind of kinds) this.waitingForSlot[standing][kind].delete(lane);
    }
    if (--origin.laneCount === 0) this.#origins.delete(origin.name);
  }
}
