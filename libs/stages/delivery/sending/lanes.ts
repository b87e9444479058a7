// Decides which attempt may start: each webhook has a lane, and lanes take turns for places and origin connections.
import type { DeliveryLimits } from '../delivery-limits.ts';
import type { Lane, LaneKey, LanePolicy, Waiting } from './lane/lane.ts';
import { LaneMap } from './lane/lane-map.ts';
import { newLane } from './lane/new-lane.ts';
import { Places } from './places.ts';
import type { Origin } from './places.ts';
import { PacedStarts } from './paced-starts.ts';
import { kinds } from './reputation.ts';
import type { AttemptEnd, AttemptKind, Standing } from './reputation.ts';
import type { Attempts } from '../measuring/attempts.ts';

/** How often the watch ticks in the time after which an answer is overdue. */
const ticksPerDoubt = 4;

/** One step: a few milliseconds of signing and connecting; other work runs between steps. */
const startsPerStep = 16;
/** A lane with fewer in flight need not wait for a step: quick receivers never queue behind a burst of slow ones. */
const atOnceMax = 8;

/** A receiver that takes longer to answer does not notice a delay of some milliseconds. */
const slowMs = 500;

const inFlightOf = ({ inFlight }: Lane): number => inFlight.first + inFlight.retry + inFlight.replay;
const hasWaiting = ({ waiting }: Lane): boolean =>
  waiting.first.length + waiting.retry.length + waiting.replay.length > 0;

/** First attempts and retries take turns for a single place; replays come last. */
const afterFirst: readonly AttemptKind[] = ['retry', 'first', 'replay'];

export class Lanes {
  /** Counts how attempts end; absent: no metrics are kept. */
  readonly attempts: Attempts | undefined;
  readonly #limits: DeliveryLimits;
  /** The most attempts in flight towards one webhook. */
  readonly #most: Readonly<Record<AttemptKind, number>>;
  readonly #lanes = new LaneMap<Lane>();
  readonly #places: Places<Lane>;
  /** Lanes that count as answering and have something in flight: an answer may become overdue. */
  readonly #asked = new Set<Lane>();
  /** Slow lanes that may be able to start more. */
  readonly #pacedStarts = new PacedStarts<Lane>((lane) => this.#startOne(lane) && hasWaiting(lane));
  /** Other lanes that may be able to start more. */
  readonly #later = new Set<Lane>();
  #step: NodeJS.Immediate | undefined;
  /** Starts left in this step; a lane whose turn comes when another attempt ends does not wait for the next step. */
  #startsLeft = startsPerStep;
  #tick = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(limits: DeliveryLimits, attempts?: Attempts) {
    this.attempts = attempts;
    this.#limits = limits;
    const { firstPerWebhookMax: first, retriesPerWebhookMax: retry, replaysPerWebhookMax: replay } = limits;
    this.#most = { first, retry, replay };
    this.#places = new Places(limits);
  }

  of(webhook: LaneKey & LanePolicy): Lane {
    return this.#lanes.get(webhook.webhookId, webhook.url) ?? this.#made(webhook);
  }

  /** Sets the owner's limits, from the next attempt on. */
  allow(webhook: LaneKey & LanePolicy): void {
    const lane = this.#lanes.get(webhook.webhookId, webhook.url);
    if (lane === undefined) return;
    this.#allow(lane, webhook);
    this.#advance(lane);
  }

  #allow(lane: Lane, { maxInFlight, rateLimit }: LanePolicy): void {
    lane.inFlightMax = maxInFlight;
    lane.pace.close();
    lane.pace.set(rateLimit);
    this.#places.widen(lane.origin, maxInFlight ?? 0);
  }

  #made(webhook: LaneKey & LanePolicy): Lane {
    const { url } = webhook;
    const lane = newLane(webhook, this.#places.originOf(URL.parse(url)?.origin ?? url), this.#limits.silencesMax);
    lane.origin.lanes++;
    this.#allow(lane, webhook);
    this.#lanes.set(lane);
    return lane;
  }

  /** Nothing more is sent on the lane; it ends with its last attempt in flight. */
  leave({ webhookId, url }: LaneKey): readonly Lane[] {
    const lane = this.#lanes.take(webhookId, url);
    if (lane === undefined) return [];
    lane.gone = true;
    this.#dropGone(lane);
    return [lane];
  }

  /** Moves waiting items to the webhook's other lane, in order; items that do not belong there line up again later. */
  move(before: LaneKey, now: LaneKey): void {
    for (const { waiting } of this.leave(before)) {
      const lane = this.of(now);
      for (const kind of kinds) for (const item of waiting[kind].drain()) lane.waiting[kind].push(item);
      this.#advance(lane);
    }
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

  /** How many items wait for their turn. */
  waiting(kind: AttemptKind): number {
    let count = 0;
    for (const { waiting } of this.#lanes.values()) count += waiting[kind].length;
    return count;
  }

  inFlight(standing: Standing, kind: AttemptKind): number {
    return this.#places.taken(standing, kind);
  }

  close(): void {
    clearInterval(this.#watch);
    if (this.#step !== undefined) clearImmediate(this.#step);
    this.#pacedStarts.close();
  }

  /** Starts some attempts now, the rest in steps: a burst of answers or events must not delay other work for long. */
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
    if (hasWaiting(lane) && !lane.pace.isOpen) {
      lane.pace.wait(() => this.#advance(lane));
      return false;
    }
    for (let kind = this.#nextKind(lane); kind !== undefined; kind = this.#nextKind(lane)) {
      const item = lane.waiting[kind].shift();
      this.#occupy(lane, kind);
      if (item?.start(lane) === true) {
        lane.lastKind = kind;
        lane.pace.took();
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
    const most = reputation.oneAtATime ? 1 : (lane.inFlightMax ?? Number.POSITIVE_INFINITY);
    if (inFlightOf(lane) >= most) return undefined;
    // Kinds that share one place take turns.
    const scarce = inFlightOf(lane) + 1 >= most || this.#places.lastConnection(lane);
    const order: readonly AttemptKind[] = scarce && lastKind === 'first' ? afterFirst : kinds;
    return order.find((kind) => this.#hasPlace(lane, kind));
  }

  #hasPlace(lane: Lane, kind: AttemptKind): boolean {
    if (lane.waiting[kind].length === 0) return false;
    const most = kind === 'first' ? Math.max(this.#most.first, lane.inFlightMax ?? 0) : this.#most[kind];
    if (lane.inFlight[kind] >= most) return false;
    if (!this.#places.placeFree(lane, kind)) {
      this.#places.starved[lane.account][kind].add(lane);
      return false;
    }
    // A webhook's replays do not count against its share for first attempts and retries.
    const inFlight = kind === 'replay' ? inFlightOf(lane) : lane.inFlight.first + lane.inFlight.retry;
    if (this.#places.connectionFree(lane, kind, inFlight)) return true;
    lane.origin.waiting[lane.account].add(lane);
    return false;
  }

  /** Books the lane's places under its receiver's current standing. */
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

  /** Puts lanes with an overdue answer in doubt, if there is room for them there, to free their places for others. */
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
    if (inFlightOf(lane) > 0) return;
    lane.pace.close();
    this.#asked.delete(lane);
    this.#later.delete(lane);
    this.#pacedStarts.delete(lane);
    this.#places.leave(lane);
  }
}
