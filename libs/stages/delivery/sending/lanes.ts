// Who may send now: each webhook has a lane, and lanes take turns for places and for their origin's connections.
import { Fifo } from '../../../primitives/fifo.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import { Places } from './places.ts';
import type { Origin } from './places.ts';
import { PacedStarts } from './paced-starts.ts';
import { kinds, Reputation } from './reputation.ts';
import type { AttemptEnd, AttemptKind, Standing } from './reputation.ts';

/** Something that waits for its turn in a lane. */
export interface Waiting {
  /** Starts one attempt, which will call `Lanes.ended`; false: there is nothing left to start. */
  start(): boolean;
}

export interface Lane {
  readonly webhookId: string;
  readonly origin: Origin<Lane>;
  readonly waiting: Readonly<Record<AttemptKind, Fifo<Waiting>>>;
  readonly inFlight: Record<AttemptKind, number>;
  readonly reputation: Reputation;
  /** The standing that its places are booked under; `#settle` makes it follow its reputation. */
  account: Standing;
  /** The tick of the watch at which it last answered, or was first asked. */
  heardAt: number;
  /** The kind of its last attempt, for when kinds take turns. */
  lastKind: AttemptKind;
  /** Its last answer took long: its starts are paced, apart from those of quick lanes. */
  slow: boolean;
  /** Its webhook is deleted. */
  gone: boolean;
}

/** The watch ticks this often in the time after which an answer is overdue. */
const ticksPerDoubt = 4;

/** A few milliseconds of signing and connecting; other work comes between steps. */
const startsPerStep = 16;
/** A lane with fewer in flight need not wait for a step: quick receivers never queue behind a burst of slow ones. */
const atOnceMax = 8;

/** A receiver that takes longer to answer does not notice a delay of some milliseconds. */
const slowMs = 500;

const inFlightOf = ({ inFlight }: Lane): number => inFlight.first + inFlight.retry + inFlight.replay;
const hasWaiting = ({ waiting }: Lane): boolean =>
  waiting.first.length + waiting.retry.length + waiting.replay.length > 0;

/** Where first attempts and retries have one place, they take turns; replays come last. */
const afterFirst: readonly AttemptKind[] = ['retry', 'first', 'replay'];

export class Lanes {
  readonly #limits: DeliveryLimits;
  /** In flight towards one webhook. */
  readonly #most: Readonly<Record<AttemptKind, number>>;
  readonly #lanes = new Map<string, Lane>();
  readonly #places: Places<Lane>;
  /** Lanes that count as answering and have something in flight: an answer may become overdue. */
  readonly #asked = new Set<Lane>();
  /** Slow lanes that may be able to start more. */
  readonly #pacedStarts = new PacedStarts<Lane>((lane) => this.#startOne(lane) && hasWaiting(lane));
  /** Other lanes that may be able to start more. */
  readonly #later = new Set<Lane>();
  #step: NodeJS.Immediate | undefined;
  /** Starts left in this step; lanes whose turn comes because another attempt ended do not wait for the next one. */
  #startsLeft = startsPerStep;
  #tick = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(limits: DeliveryLimits) {
    this.#limits = limits;
    const { firstPerWebhookMax: first, retriesPerWebhookMax: retry, replaysPerWebhookMax: replay } = limits;
    this.#most = { first, retry, replay };
    this.#places = new Places(limits);
  }

  of({ webhookId, url }: { readonly webhookId: string; readonly url: string }): Lane {
    const known = this.#lanes.get(webhookId);
    if (known !== undefined) return known;
    const reputation = new Reputation(this.#limits.silencesMax);
    const lane: Lane = {
      webhookId,
      origin: this.#places.originOf(URL.parse(url)?.origin ?? url),
      waiting: { first: new Fifo(), retry: new Fifo(), replay: new Fifo() },
      inFlight: { first: 0, retry: 0, replay: 0 },
      reputation,
      account: reputation.standing,
      heardAt: 0,
      lastKind: 'retry',
      slow: false,
      gone: false,
    };
    lane.origin.lanes++;
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  /** For a webhook that is deleted; a lane with something in flight stays until that has ended. */
  forget(webhookId: string): void {
    const lane = this.#lanes.get(webhookId);
    if (lane === undefined) return;
    lane.gone = true;
    this.#dropGone(lane);
  }

  /** The log says that the webhook has answered: it need not be probed again after a restart. */
  presumeAnswering(lane: Lane): void {
    if (inFlightOf(lane) > 0 || lane.account === 'silent') return;
    lane.reputation.trust();
    this.#settle(lane);
  }

  /** Puts `item` at the end of the lane, and starts what can be started. */
  wait(lane: Lane, kind: AttemptKind, item: Waiting): void {
    lane.waiting[kind].push(item);
    this.#advance(lane);
  }

  ended(lane: Lane, kind: AttemptKind, end: AttemptEnd, durationMs = 0): void {
    const before = lane.account;
    if (end !== 'void') lane.slow = durationMs > slowMs;
    lane.inFlight[kind]--;
    this.#places.give(lane, kind);
    lane.reputation.learn(end);
    if (end === 'answered') lane.heardAt = this.#tick;
    this.#settle(lane);
    if (inFlightOf(lane) === 0) this.#asked.delete(lane);
    if (lane.gone) this.#dropGone(lane);
    if (before === lane.account && !this.#places.contested(lane)) return this.#advance(lane);
    if (hasWaiting(lane)) lane.origin.waiting[lane.account].add(lane);
    this.#feed(lane.origin, before);
    if (before !== lane.account) this.#feed(lane.origin, lane.account);
  }

  close(): void {
    clearInterval(this.#watch);
    if (this.#step !== undefined) clearImmediate(this.#step);
    this.#pacedStarts.close();
  }

  /** Starts what it can, and the rest in steps: a burst of answers or events must not delay other work for long. */
  #advance(lane: Lane): void {
    if (lane.slow) return this.#pacedStarts.add(lane);
    while (this.#startsLeft > 0 || inFlightOf(lane) < atOnceMax) if (!this.#startOne(lane)) return;
    if (!hasWaiting(lane)) return;
    this.#later.add(lane);
    this.#endStep();
  }

  #endStep(): void {
    this.#step ??= setImmediate(() => {
      this.#step = undefined;
      this.#startsLeft = startsPerStep;
      this.#startLater();
    });
  }

  #startLater(): void {
    for (const lane of this.#later) {
      if (this.#startsLeft <= 0) return this.#endStep();
      this.#later.delete(lane);
      if (this.#startOne(lane) && hasWaiting(lane)) this.#later.add(lane);
    }
  }

  #startOne(lane: Lane): boolean {
    for (let kind = this.#nextKind(lane); kind !== undefined; kind = this.#nextKind(lane)) {
      const item = lane.waiting[kind].shift();
      this.#occupy(lane, kind);
      if (item?.start() === true) {
        lane.lastKind = kind;
        this.#startsLeft--;
        this.#endStep();
        return true;
      }
      lane.inFlight[kind]--;
      this.#places.give(lane, kind);
    }
    return false;
  }

  #occupy(lane: Lane, kind: AttemptKind): void {
    if (inFlightOf(lane) === 0) lane.heardAt = this.#tick;
    lane.inFlight[kind]++;
    this.#places.take(lane, kind);
    if (lane.account !== 'answering') return;
    this.#asked.add(lane);
    this.#watch ??= setInterval(() => this.#look(), this.#limits.doubtMs / ticksPerDoubt).unref();
  }

  #nextKind(lane: Lane): AttemptKind | undefined {
    const { reputation, lastKind } = lane;
    if (!hasWaiting(lane)) return undefined;
    if (reputation.oneAtATime && inFlightOf(lane) > 0) return undefined;
    const scarce = reputation.oneAtATime || this.#places.lastConnection(lane);
    const order: readonly AttemptKind[] = scarce && lastKind === 'first' ? afterFirst : kinds;
    return order.find((kind) => this.#hasPlace(lane, kind));
  }

  #hasPlace(lane: Lane, kind: AttemptKind): boolean {
    if (lane.waiting[kind].length === 0) return false;
    if (lane.inFlight[kind] >= this.#most[kind]) return false;
    if (!this.#places.placeFree(lane, kind)) {
      this.#places.starved[lane.account][kind].add(lane);
      return false;
    }
    // Its replays take nothing from its own share.
    const inFlight = kind === 'replay' ? inFlightOf(lane) : lane.inFlight.first + lane.inFlight.retry;
    if (this.#places.connectionFree(lane, kind, inFlight)) return true;
    lane.origin.waiting[lane.account].add(lane);
    return false;
  }

  /** Books the lane's places under what is now known of the receiver. */
  #settle(lane: Lane): void {
    const { standing } = lane.reputation;
    if (standing === lane.account) return;
    for (const kind of kinds) this.#places.move(lane, { kind, count: lane.inFlight[kind], to: standing });
    lane.account = standing;
    if (standing === 'answering' && inFlightOf(lane) > 0) this.#asked.add(lane);
    else if (standing !== 'answering') this.#asked.delete(lane);
  }

  /** Waiting lanes take turns: one start each, then back to the end. */
  #feed(origin: Origin<Lane>, account: Standing): void {
    for (const kind of kinds) this.#feedStarved(this.#places.starved[account][kind], account, kind);
    const waiting = origin.waiting[account];
    let turns = waiting.size;
    for (const lane of waiting) {
      if (turns-- === 0 || !this.#places.anyConnection(origin, account)) return;
      waiting.delete(lane);
      if (!this.#startOne(lane) || !hasWaiting(lane)) continue;
      origin.waiting[account].add(lane);
      turns++;
    }
  }

  #feedStarved(starved: Set<Lane>, account: Standing, kind: AttemptKind): void {
    let turns = starved.size;
    for (const lane of starved) {
      if (turns-- === 0 || !this.#places.free(account, kind)) return;
      starved.delete(lane);
      if (!this.#startOne(lane) || !hasWaiting(lane)) continue;
      starved.add(lane);
      turns++;
    }
  }

  /** Puts lanes with an overdue answer in doubt, while there is room for them, to free their places for others. */
  #look(): void {
    this.#tick++;
    const origins = new Set<Origin<Lane>>();
    for (const lane of this.#asked) {
      if (this.#tick - lane.heardAt <= ticksPerDoubt || !this.#places.roomInDoubt(lane)) continue;
      lane.reputation.doubt();
      lane.slow = true;
      this.#settle(lane);
      origins.add(lane.origin);
    }
    for (const origin of origins) this.#feed(origin, 'answering');
    if (this.#asked.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  #dropGone(lane: Lane): void {
    if (inFlightOf(lane) > 0 || this.#lanes.get(lane.webhookId) !== lane) return;
    this.#lanes.delete(lane.webhookId);
    this.#asked.delete(lane);
    this.#later.delete(lane);
    this.#pacedStarts.delete(lane);
    this.#places.leave(lane);
  }
}
