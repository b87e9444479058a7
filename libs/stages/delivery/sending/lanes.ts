// Who may send now: a lane for each webhook, which takes turns with the others for places and for its origin's connections.
import { Fifo } from '../../../primitives/fifo.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import { Places } from './places.ts';
import type { Origin } from './places.ts';
import { PacedStarts } from './paced-starts.ts';
import { kinds, Reputation } from './reputation.ts';
import type { AttemptEnd, AttemptKind, Standing } from './reputation.ts';

/** Something that waits for its turn in a lane. */
export interface Waiting {
  /** Starts one attempt, which will call `Lanes.ended`; false: there is nothing to start any more. */
  start(): boolean;
}

export interface Lane {
  readonly webhookId: string;
  readonly origin: Origin<Lane>;
  readonly waiting: Readonly<Record<AttemptKind, Fifo<Waiting>>>;
  readonly inFlight: Record<AttemptKind, number>;
  readonly reputation: Reputation;
  /** Whose places it uses: its reputation's standing, as far as the books go. */
  account: Standing;
  /** The tick of the watch at which it was last heard of, or first asked. */
  heardAt: number;
  /** What a place was last used for, where both kinds take turns. */
  lastKind: AttemptKind;
  /** Its last answer took long: it has time, and starts beside the others. */
  slow: boolean;
  /** Its webhook is deleted. */
  gone: boolean;
}

/** An overdue answer is noticed within this part of the time after which it is overdue. */
const ticksPerDoubt = 4;

/** A few milliseconds of signing and connecting; whatever else is to be done comes in between. */
const startsPerStep = 16;
/** A lane with fewer in flight starts without waiting for a step: quick receivers are never behind a burst of slow ones. */
const atOnceMax = 8;

/** Who takes longer to answer does not notice some milliseconds. */
const slowMs = 500;

const inFlightOf = ({ inFlight }: Lane): number => inFlight.first + inFlight.retry;
const hasWaiting = ({ waiting }: Lane): boolean => waiting.first.length + waiting.retry.length > 0;

export class Lanes {
  readonly #limits: DeliveryLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #places: Places<Lane>;
  /** Lanes that count as answering and have something in flight: an answer may become overdue. */
  readonly #asked = new Set<Lane>();
  /** Slow lanes that may be able to start more. */
  readonly #pacedStarts = new PacedStarts<Lane>((lane) => this.#startOne(lane) && hasWaiting(lane));
  /** Others that may be. */
  readonly #later = new Set<Lane>();
  #step: NodeJS.Immediate | undefined;
  /** Until the step ends; those whose turn comes as others end do not wait for that. */
  #startsLeft = startsPerStep;
  #tick = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(limits: DeliveryLimits) {
    this.#limits = limits;
    this.#places = new Places(limits);
  }

  of({ webhookId, url }: { readonly webhookId: string; readonly url: string }): Lane {
    const known = this.#lanes.get(webhookId);
    if (known !== undefined) return known;
    const reputation = new Reputation(this.#limits.silencesMax);
    const lane: Lane = {
      webhookId,
      origin: this.#places.originOf(URL.parse(url)?.origin ?? url),
      waiting: { first: new Fifo(), retry: new Fifo() },
      inFlight: { first: 0, retry: 0 },
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

  /** What is on the log says that it has answered: after a restart nobody has to be tried out again. */
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

  /** Starts what can be started; beyond some, in steps, so that a burst of answers or events delays nothing else for long. */
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
    // Where there is one place for both kinds they take turns.
    const scarce = reputation.oneAtATime || this.#places.lastConnection(lane);
    const order: readonly AttemptKind[] = scarce && lastKind === 'first' ? ['retry', 'first'] : kinds;
    return order.find((kind) => this.#hasPlace(lane, kind));
  }

  #hasPlace(lane: Lane, kind: AttemptKind): boolean {
    if (lane.waiting[kind].length === 0) return false;
    const most = kind === 'first' ? this.#limits.firstPerWebhookMax : this.#limits.retriesPerWebhookMax;
    if (lane.inFlight[kind] >= most) return false;
    if (!this.#places.placeFree(lane, kind)) {
      this.#places.starved[lane.account][kind].add(lane);
      return false;
    }
    if (this.#places.connectionFree(lane, inFlightOf(lane))) return true;
    lane.origin.waiting[lane.account].add(lane);
    return false;
  }

  /** Brings the books in line with what is known of the receiver. */
  #settle(lane: Lane): void {
    const { standing } = lane.reputation;
    if (standing === lane.account) return;
    for (const kind of kinds) this.#places.move(lane, { kind, count: lane.inFlight[kind], to: standing });
    lane.account = standing;
    if (standing === 'answering' && inFlightOf(lane) > 0) this.#asked.add(lane);
    else if (standing !== 'answering') this.#asked.delete(lane);
  }

  /** Those who wait go round: one start each, and to the end again. */
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

  /** Doubts whoever's answer is overdue, while those in doubt have room: its places are free for others then. */
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
