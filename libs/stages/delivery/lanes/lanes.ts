// Decides which attempt can start: each webhook has a lane, and lanes take turns for places and origin connections,
// first by workspace.
import type { DeliveryLimits } from '../delivery-limits.ts';
import { TurnsOfOwners } from '../../../primitives/sharing/turns-of-owners.ts';
import { hasLiveWaiting, hasWaiting, inFlightOf, needNotWait } from './lane.ts';
import type { Lane, LaneKey, LaneOwner, LanePolicy, Waiting } from './lane.ts';
import { LaneMap } from './lane-map.ts';
import { newLane } from './new-lane.ts';
import { AttemptPlaces } from './attempt-places.ts';
import type { Origin } from './attempt-places.ts';
import { PacedStarts } from './paced-starts.ts';
import { Steps } from './steps.ts';
import { kinds } from './reputation.ts';
import type { AttemptEnd, AttemptKind, Standing } from './reputation.ts';

/** How often the watch ticks within `doubtMs`, after which an answer is overdue. */
const ticksPerDoubt = 4;

/** A receiver that takes longer to answer does not notice a delay of some milliseconds. */
const slowMs = 500;

/** The order of kinds for a single place after a first attempt: retries come next, and replays last. */
const afterFirst: readonly AttemptKind[] = ['retry', 'first', 'replay'];

export class Lanes {
  readonly #limits: DeliveryLimits;
  /** The most attempts in flight towards one webhook. */
  readonly #most: Readonly<Record<AttemptKind, number>>;
  readonly #lanes = new LaneMap<Lane>();
  readonly #places: AttemptPlaces<Lane>;
  /** Lanes that count as answering and have attempts in flight: an answer can become overdue. */
  readonly #asked = new Set<Lane>();
  /** Slow lanes that might be able to start more. */
  readonly #pacedStarts = new PacedStarts<Lane>((lane) => this.#startOne(lane) && hasWaiting(lane));
  /** Other lanes that might be able to start more. */
  readonly #later = new TurnsOfOwners<Lane>(({ workspace }) => workspace);
  /** Starts attempts in steps; a lane whose turn comes when another attempt ends does not wait for the next step. */
  readonly #steps = new Steps(() => this.#startLater());
  #tick = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(limits: DeliveryLimits) {
    this.#limits = limits;
    const { firstPerWebhookMax: first, retriesPerWebhookMax: retry, replaysPerWebhookMax: replay } = limits;
    this.#most = { first, retry, replay };
    this.#places = new AttemptPlaces(limits);
  }

  of(webhook: LaneOwner): Lane {
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
    lane.rateLimit.close();
    lane.rateLimit.set(rateLimit);
    this.#widen(lane, maxInFlight);
  }

  #widen(lane: Lane, maxInFlight: number | undefined): void {
    lane.inFlightMax = maxInFlight;
    this.#places.widen(lane.origin, maxInFlight ?? 0);
  }

  /** `former`: the webhook's lane at the url that it had before. */
  #made(webhook: LaneOwner, former?: Lane): Lane {
    const { webhookId, url } = webhook;
    // `webhook` might be older than a change that the webhook's other lane has already.
    const other = this.#lanes.anyOf(webhookId);
    const lane = newLane(webhook, {
      origin: this.#places.originOf(URL.parse(url)?.origin ?? url),
      silencesMax: this.#limits.silencesMax,
      rateLimit: (other ?? former)?.rateLimit,
    });
    lane.origin.lanes++;
    if (other === undefined) this.#allow(lane, webhook);
    else this.#widen(lane, webhook.maxInFlight);
    this.#lanes.set(lane);
    return lane;
  }

  /** Ends the lane: nothing more is sent on it, and it ends with its last attempt in flight. */
  leave({ webhookId, url }: LaneKey): Lane | undefined {
    const lane = this.#lanes.take(webhookId, url);
    if (lane === undefined) return undefined;
    lane.gone = true;
    this.#dropGone(lane);
    return lane;
  }

  /** Ends the lanes of deleted webhooks on which nothing waits or is in flight. */
  leaveIdle(isGone: (webhookId: string) => boolean): void {
    for (const lane of [...this.#lanes.values()])
      if (isGone(lane.webhookId) && !hasWaiting(lane) && inFlightOf(lane) === 0) this.leave(lane);
  }

  /** Moves waiting items to the webhook's other lane, in order; those that do not belong there queue again later. */
  move(before: LaneKey, now: LaneOwner): void {
    const former = this.leave(before);
    if (former === undefined) return;
    const lane = this.#lanes.get(now.webhookId, now.url) ?? this.#made(now, former);
    for (const kind of kinds) for (const item of former.waiting[kind].drain()) lane.waiting[kind].push(item);
    this.#advance(lane);
  }

  /** Call when the log shows that the webhook has answered: it need not be probed again after a restart. */
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
    if (end === 'void') lane.rateLimit.gave();
    else lane.slow = durationMs > slowMs;
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
    this.#steps.close();
    this.#pacedStarts.close();
  }

  /** Starts some attempts now, the rest in steps: a burst of answers or events must not delay other work for long. */
  #advance(lane: Lane): void {
    if (lane.slow) return this.#pacedStarts.add(lane);
    while (!this.#waits(lane) || needNotWait(lane)) if (!this.#startOne(lane)) return;
    if (!hasWaiting(lane)) return;
    this.#later.add(lane);
    this.#steps.next();
  }

  /** Whether the lane's next attempt waits for the next step. */
  #waits(lane: Lane): boolean {
    return hasLiveWaiting(lane) ? this.#steps.isOver : this.#steps.isOverForReplays;
  }

  #startLater(): void {
    this.#later.go(
      () => !this.#steps.isOver,
      (lane) => {
        if (!this.#waits(lane)) return this.#startOne(lane) && hasWaiting(lane);
        this.#later.add(lane);
        return false;
      },
    );
    if (this.#steps.isOver && this.#later.size > 0) this.#steps.next();
  }

  #startOne(lane: Lane): boolean {
    if (hasWaiting(lane) && !lane.rateLimit.isOpen) {
      lane.rateLimit.wait(() => this.#advance(lane));
      return false;
    }
    for (let kind = this.#nextKind(lane); kind !== undefined; kind = this.#nextKind(lane)) {
      const item = lane.waiting[kind].shift();
      this.#occupy(lane, kind);
      const startedAt = performance.now();
      if (item?.start(lane) === true) {
        lane.lastKind = kind;
        lane.rateLimit.took();
        this.#steps.took(performance.now() - startedAt, kind);
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
    // If only one place is left, first attempts and retries take turns: the kind that did not have it last is next.
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
    if (kind === 'replay' && !this.#places.replayShareFree(lane)) {
      lane.origin.waitingReplays[lane.account].add(lane);
      return false;
    }
    // A webhook's replays do not count against its share for first attempts and retries.
    const inFlight = kind === 'replay' ? inFlightOf(lane) : lane.inFlight.first + lane.inFlight.retry;
    if (this.#places.connectionFree(lane, inFlight)) return true;
    lane.origin.waiting[lane.account].add(lane);
    return false;
  }

  /** Counts the lane's places under its receiver's current standing. */
  #settle(lane: Lane): void {
    const { standing } = lane.reputation;
    if (standing === lane.account) return;
    for (const kind of kinds) this.#places.move(lane, { kind, count: lane.inFlight[kind], to: standing });
    lane.account = standing;
    if (standing === 'answering' && inFlightOf(lane) > 0) this.#asked.add(lane);
    else if (standing !== 'answering') this.#asked.delete(lane);
  }

  /** Starts attempts that wait for places of the account, or for connections of the origin. */
  #feed(origin: Origin<Lane>, account: Standing): void {
    const places = this.#places;
    for (const kind of kinds) this.#feedWaiting(places.starved[account][kind], () => places.free(account, kind));
    const hasConnection = (): boolean => places.anyConnection(origin, account);
    this.#feedWaiting(origin.waiting[account], hasConnection);
    const mayReplay = (): boolean => hasConnection() && places.replayShareFree({ origin, account });
    this.#feedWaiting(origin.waitingReplays[account], mayReplay);
  }

  /** Waiting lanes take turns: one start each, then back to the end. */
  #feedWaiting(waiting: TurnsOfOwners<Lane>, isFree: () => boolean): void {
    waiting.go(isFree, (lane) => this.#startOne(lane) && hasWaiting(lane));
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
    lane.rateLimit.close();
    this.#asked.delete(lane);
    this.#later.delete(lane);
    this.#pacedStarts.delete(lane);
    this.#places.leave(lane);
  }
}
