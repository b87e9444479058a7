// Counts the process's places by kind of attempt, and connections by origin, with a share of both for each standing.
import type { DeliveryLimits } from '../delivery-limits.ts';
import { TurnsOfOwners } from '../../../primitives/sharing/turns-of-owners.ts';
import { kinds, standings } from './reputation.ts';
import type { AttemptKind, Standing } from './reputation.ts';

export type AttemptPlaceLimits = Pick<
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
  lanes: number;
  /**
   * The highest `max_in_flight` of a webhook there: the origin has at least that many connections. It
   * remains as long as the origin has webhooks, since others can use these connections too.
   */
  allowed: number;
  readonly inUse: Record<Standing, number>;
  /** Connections that replays use. */
  readonly replaying: Record<Standing, number>;
  /** Lanes that wait for a connection ... */
  readonly waiting: Readonly<Record<Standing, TurnsOfOwners<L>>>;
  /** ... and those whose replay waits for the connections for replays: only the end of a replay's attempt helps. */
  readonly waitingReplays: Readonly<Record<Standing, TurnsOfOwners<L>>>;
}

/** The parts of a lane that `AttemptPlaces` uses. */
interface Holder<L> {
  readonly workspace: string;
  readonly origin: Origin<L>;
  readonly account: Standing;
  readonly inFlight: Readonly<Record<AttemptKind, number>>;
}

/**
 * A webhook that shares its origin can use at most this many times the connections that are left free. Of 64, the first
 * webhook that hangs takes at most 48, the next 12, and a webhook without a connection always finds one.
 */
const timesFree = 3;
/** A webhook in doubt uses at most one place for this many that are left free: it continues, and others can begin. */
const doubtfulPart = 8;
/** The part of an origin's connections that replays can use: the others stay free for new events. */
const replayPart = 0.3;

const each = <T>(of: (standing: Standing) => T): Record<Standing, T> => ({
  answering: of('answering'),
  doubtful: of('doubtful'),
  silent: of('silent'),
});

/** Workspaces take turns: a lane never waits for all lanes of another workspace. */
const turns = <L extends Pick<Holder<L>, 'workspace'>>(): TurnsOfOwners<L> =>
  new TurnsOfOwners<L>(({ workspace }) => workspace);

export class AttemptPlaces<L extends Holder<L>> {
  readonly #origins = new Map<string, Origin<L>>();
  readonly #all: Readonly<Record<Standing, Readonly<Record<AttemptKind, number>>>>;
  readonly #free: Readonly<Record<Standing, Record<AttemptKind, number>>>;
  readonly #connections: Readonly<Record<Standing, number>>;
  /** Lanes that wait for a place of the process. */
  readonly starved = each(() => ({ first: turns<L>(), retry: turns<L>(), replay: turns<L>() }));

  constructor(limits: AttemptPlaceLimits) {
    this.#all = {
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
    this.#free = each((standing) => ({ ...this.#all[standing] }));
    this.#connections = {
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
      lanes: 0,
      allowed: 0,
      inUse: each(() => 0),
      replaying: each(() => 0),
      waiting: each(() => turns<L>()),
      waitingReplays: each(() => turns<L>()),
    };
    this.#origins.set(name, origin);
    return origin;
  }

  /** Gives the origin at least `allowed` connections: an owner can set more attempts at once than usual. */
  widen(origin: Origin<L>, allowed: number): void {
    origin.allowed = Math.max(origin.allowed, allowed);
  }

  #connectionsOf({ allowed }: Origin<L>, account: Standing): number {
    return account === 'answering' ? Math.max(this.#connections.answering, allowed) : this.#connections[account];
  }

  take({ origin, account }: L, kind: AttemptKind): void {
    this.#free[account][kind]--;
    origin.inUse[account]++;
    if (kind === 'replay') origin.replaying[account]++;
  }

  give({ origin, account }: L, kind: AttemptKind): void {
    this.#free[account][kind]++;
    origin.inUse[account]--;
    if (kind === 'replay') origin.replaying[account]--;
  }

  /** Moves places to another account. If that is overdrawn, nothing begins there until enough places are released. */
  move({ origin, account }: L, { kind, count, to }: { kind: AttemptKind; count: number; to: Standing }): void {
    this.#free[account][kind] += count;
    this.#free[to][kind] -= count;
    origin.inUse[account] -= count;
    origin.inUse[to] += count;
    if (kind !== 'replay') return;
    origin.replaying[account] -= count;
    origin.replaying[to] += count;
  }

  taken(account: Standing, kind: AttemptKind): number {
    return this.#all[account][kind] - this.#free[account][kind];
  }

  free(account: Standing, kind: AttemptKind): boolean {
    return this.#free[account][kind] > 0;
  }

  /** Whether the lane can have another place of the process. */
  placeFree({ account, inFlight }: L, kind: AttemptKind): boolean {
    const free = this.#free[account][kind];
    return free > 0 && (account !== 'doubtful' || inFlight[kind] === 0 || inFlight[kind] < free / doubtfulPart);
  }

  anyConnection(origin: Origin<L>, account: Standing): boolean {
    return origin.inUse[account] < this.#connectionsOf(origin, account);
  }

  /** Whether replays can use another connection of the origin. */
  replayShareFree({ origin, account }: Pick<L, 'origin' | 'account'>): boolean {
    return origin.replaying[account] < this.#connections[account] * replayPart;
  }

  /** Whether a lane with `inFlight` attempts can have another connection. */
  connectionFree({ origin, account }: L, inFlight: number): boolean {
    const free = this.#connectionsOf(origin, account) - origin.inUse[account];
    if (free <= 0) return false;
    if (inFlight === 0) return true;
    if (account === 'silent') return false;
    // Every webhook of the origin might hang: each has an equal share, so that all of them can be tried.
    if (account === 'doubtful') return inFlight < Math.floor(this.#connections.doubtful / origin.lanes);
    return origin.lanes === 1 || inFlight < timesFree * free;
  }

  lastConnection({ origin, account }: L): boolean {
    return this.#connectionsOf(origin, account) - origin.inUse[account] <= 1;
  }

  /** Whether any lane waits for a place or a connection that this lane releases. */
  contested({ origin, account }: L): boolean {
    const { first, retry, replay } = this.starved[account];
    const replays = this.replayShareFree({ origin, account }) ? origin.waitingReplays[account].size : 0;
    return origin.waiting[account].size + replays + first.size + retry.size + replay.size > 0;
  }

  /** Whether the doubtful account has room for all that the lane has in flight. */
  roomInDoubt({ origin, inFlight }: L): boolean {
    const { doubtful } = this.#free;
    const connections = this.#connections.doubtful - origin.inUse.doubtful;
    const all = kinds.reduce((sum, kind) => sum + inFlight[kind], 0);
    return all <= connections && kinds.every((kind) => inFlight[kind] <= doubtful[kind]);
  }

  leave(lane: L): void {
    const { origin } = lane;
    for (const standing of standings) {
      origin.waiting[standing].delete(lane);
      origin.waitingReplays[standing].delete(lane);
      for (const kind of kinds) this.starved[standing][kind].delete(lane);
    }
    if (--origin.lanes === 0) this.#origins.delete(origin.name);
  }
}
