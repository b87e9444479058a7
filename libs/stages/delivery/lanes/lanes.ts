// Decides which attempt can start: each webhook has a lane, and lanes take turns for slots and origin connections,
// first by workspace.
import type { DeliveryLimits } from '../delivery-limits.ts';
import { FairQueue } from '../../../primitives/sharing/fair-queue.ts';
import { hasWaitingLive, hasWaiting, inFlightOf, canSkipStep } from './lane.ts';
import type { Lane, LaneKey, LaneOwner, LanePolicy, LaneEntry } from './lane.ts';
import { LaneMap } from './lane-map.ts';
import { newLane } from './new-lane.ts';
import { AttemptSlots } from './attempt-slots.ts';
import type { Origin } from './attempt-slots.ts';
import { PacedStarts } from './paced-starts.ts';
import { Steps } from './steps.ts';
import { kinds } from './reputation.ts';
import type { AttemptEnd, AttemptKind, Standing } from './reputation.ts';

/** How often the watch ticks within `doubtMs`, after which an answer is overdue. */
const ticksPerDoubt = 4;

/** A receiver that takes longer to answer does not notice a delay of some milliseconds. */
const slowMs = 500;

/** The order of kinds for a single slot after a first attempt: retries come next, and replays last. */
const afterFirst: readonly AttemptKind[] = ['retry', 'first', 'replay'];

export class Lanes {
  readonly #limits: DeliveryLimits;
  /** The most attempts in flight towards one webhook. */
  readonly #inFlightMax: Readonly<Record<AttemptKind, number>>;
  readonly #lanes = new LaneMap<Lane>();
  readonly #slots: AttemptSlots<Lane>;
  /** Lanes that count as answering and have attempts in flight: an answer can become overdue. */
  readonly #watched = new Set<Lane>();
  /** Slow lanes that might be able to start more. */
  readonly #pacedStarts = new PacedStarts<Lane>((lane) => this.#startOne(lane) && hasWaiting(lane));
  /** Other lanes that might be able to start more. */
  readonly #deferred = new FairQueue<Lane>(({ workspace }) => workspace);
  /** Starts attempts in steps; a lane whose turn comes when another attempt ends does not wait for the next step. */
  readonly #steps = new Steps(() => this.#startDeferred());
  #tick = 0;
  #watchTimer: NodeJS.Timeout | undefined;

  constructor(limits: DeliveryLimits) {
    this.#limits = limits;
    const { firstPerWebhookMax: first, retriesPerWebhookMax: retry, replaysPerWebhookMax: replay } = limits;
    this.#inFlightMax = { first, retry, replay };
    this.#slots = new AttemptSlots(limits);
  }

  laneOf(webhook: LaneOwner): Lane {
    return this.#lanes.get(webhook.webhookId, webhook.url) ?? this.#createLane(webhook);
  }

  /** Sets the owner's limits, from the next attempt on. */
  setPolicy(webhook: LaneKey & LanePolicy): void {
    const lane = this.#lanes.get(webhook.webhookId, webhook.url);
    if (lane === undefined) return;
    this.#setPolicy(lane, webhook);
    this.#advance(lane);
  }

  #setPolicy(lane: Lane, { maxInFlight, rateLimit }: LanePolicy): void {
    lane.rateLimit.close();
    lane.rateLimit.set(rateLimit);
    this.#setInFlightMax(lane, maxInFlight);
  }

  #setInFlightMax(lane: Lane, maxInFlight: number | undefined): void {
    lane.inFlightMax = maxInFlight;
    this.#slots.raiseConnectionsMax(lane.origin, maxInFlight ?? 0);
  }

  /** `former`: the webhook's lane at the url that it had before. */
  #createLane(webhook: LaneOwner, former?: Lane): Lane {
    const { webhookId, url } = webhook;
    // `webhook` might be older than a change that the webhook's other lane has already.
    const other = this.#lanes.anyOf(webhookId);
    const lane = newLane(webhook, {
      origin: this.#slots.originOf(URL.parse(url)?.origin ?? url),
      silencesMax: this.#limits.silencesMax,
      rateLimit: (other ?? former)?.rateLimit,
    });
    lane.origin.laneCount++;
    if (other === undefined) this.#setPolicy(lane, webhook);
    else this.#setInFlightMax(lane, webhook.maxInFlight);
    this.#lanes.set(lane);
    return lane;
  }

  /** Ends the lane: nothing more is sent on it, and it ends with its last attempt in flight. */
  endLane({ webhookId, url }: LaneKey): Lane | undefined {
    const lane = this.#lanes.remove(webhookId, url);
    if (lane === undefined) return undefined;
    lane.isEnding = true;
    this.#dropIfIdle(lane);
    return lane;
  }

  /** Ends the lanes of deleted webhooks on which nothing waits or is in flight. */
  endIdleLanes(isDeleted: (webhookId: string) => boolean): void {
    for (const lane of [...this.#lanes.values()])
      if (isDeleted(lane.webhookId) && !hasWaiting(lane) && inFlightOf(lane) === 0) this.endLane(lane);
  }

  /** Moves waiting items to the webhook's other lane, in order; those that do not belong there queue again later. */
  moveWaiting(before: LaneKey, now: LaneOwner): void {
    const former = this.endLane(before);
    if (former === undefined) return;
    const lane = this.#lanes.get(now.webhookId, now.url) ?? this.#createLane(now, former);
    for (const kind of kinds) for (const item of former.waiting[kind].drain()) lane.waiting[kind].push(item);
    this.#advance(lane);
  }

  /** Call when the log shows that the webhook has answered: it need not be probed again after a restart. */
  presumeAnswering(lane: Lane): void {
    if (inFlightOf(lane) > 0 || lane.slotStanding === 'silent') return;
    lane.reputation.trust();
    this.#updateStanding(lane);
  }

  /** Puts `item` at the end of the lane, and starts what can be started. */
  enqueue(lane: Lane, kind: AttemptKind, item: LaneEntry): void {
    lane.waiting[kind].push(item);
    this.#advance(lane);
  }

  attemptEnded(lane: Lane, kind: AttemptKind, end: AttemptEnd, durationMs = 0): void {
    const before = lane.slotStanding;
    if (end === 'void') lane.rateLimit.uncountAttempt();
    else lane.isSlow = durationMs > slowMs;
    lane.inFlight[kind]--;
    this.#slots.release(lane, kind);
    lane.reputation.recordEnd(end);
    if (end === 'answered') lane.lastAnswerTick = this.#tick;
    this.#updateStanding(lane);
    if (inFlightOf(lane) === 0) this.#watched.delete(lane);
    if (lane.isEnding) this.#dropIfIdle(lane);
    if (before === lane.slotStanding && !this.#slots.isContested(lane)) return this.#advance(lane);
    if (hasWaiting(lane)) lane.origin.waiting[lane.slotStanding].add(lane);
    this.#startWaiting(lane.origin, before);
    if (before !== lane.slotStanding) this.#startWaiting(lane.origin, lane.slotStanding);
  }

  /** How many items wait for their turn. */
  waiting(kind: AttemptKind): number {
    let count = 0;
    for (const { waiting } of this.#lanes.values()) count += waiting[kind].length;
    return count;
  }

  inFlight(standing: Standing, kind: AttemptKind): number {
    return this.#slots.takenCount(standing, kind);
  }

  close(): void {
    clearInterval(this.#watchTimer);
    this.#steps.close();
    this.#pacedStarts.close();
  }

  /** Starts some attempts now, the rest in steps: a burst of answers or events must not delay other work for long. */
  #advance(lane: Lane): void {
    if (lane.isSlow) return this.#pacedStarts.add(lane);
    while (!this.#waitsForStep(lane) || canSkipStep(lane)) if (!this.#startOne(lane)) return;
    if (!hasWaiting(lane)) return;
    this.#deferred.add(lane);
    this.#steps.schedule();
  }

  /** Whether the lane's next attempt waits for the next step. */
  #waitsForStep(lane: Lane): boolean {
    return hasWaitingLive(lane) ? this.#steps.isFull : this.#steps.isFullForReplays;
  }

  #startDeferred(): void {
    this.#deferred.takeTurns(
      () => !this.#steps.isFull,
      (lane) => {
        if (!this.#waitsForStep(lane)) return this.#startOne(lane) && hasWaiting(lane);
        this.#deferred.add(lane);
        return false;
      },
    );
    if (this.#steps.isFull && this.#deferred.size > 0) this.#steps.schedule();
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
        lane.rateLimit.countAttempt();
        this.#steps.recordStart(performance.now() - startedAt, kind);
        return true;
      }
      lane.inFlight[kind]--;
      this.#slots.release(lane, kind);
    }
    return false;
  }

  #occupy(lane: Lane, kind: AttemptKind): void {
    if (inFlightOf(lane) === 0) lane.lastAnswerTick = this.#tick;
    lane.inFlight[kind]++;
    this.#slots.take(lane, kind);
    if (lane.slotStanding !== 'answering') return;
    this.#watched.add(lane);
    this.#watchTimer ??= setInterval(() => this.#checkOverdue(), this.#limits.doubtMs / ticksPerDoubt).unref();
  }

  #nextKind(lane: Lane): AttemptKind | undefined {
    const { reputation, lastKind } = lane;
    if (!hasWaiting(lane)) return undefined;
    const inFlightMax = reputation.isOneAtATime ? 1 : (lane.inFlightMax ?? Number.POSITIVE_INFINITY);
    if (inFlightOf(lane) >= inFlightMax) return undefined;
    // If only one slot is left, first attempts and retries take turns: the kind that did not have it last is next.
    const isLastSlot = inFlightOf(lane) + 1 >= inFlightMax || this.#slots.isLastConnection(lane);
    const order: readonly AttemptKind[] = isLastSlot && lastKind === 'first' ? afterFirst : kinds;
    return order.find((kind) => this.#hasSlot(lane, kind));
  }

  #hasSlot(lane: Lane, kind: AttemptKind): boolean {
    if (lane.waiting[kind].length === 0) return false;
    const kindMax =
      kind === 'first' ? Math.max(this.#inFlightMax.first, lane.inFlightMax ?? 0) : this.#inFlightMax[kind];
    if (lane.inFlight[kind] >= kindMax) return false;
    if (!this.#slots.canTakeSlot(lane, kind)) {
      this.#slots.waitingForSlot[lane.slotStanding][kind].add(lane);
      return false;
    }
    if (kind === 'replay' && !this.#slots.hasReplayShare(lane)) {
      lane.origin.waitingReplays[lane.slotStanding].add(lane);
      return false;
    }
    // A webhook's replays do not count against its share for first attempts and retries.
    const inFlight = kind === 'replay' ? inFlightOf(lane) : lane.inFlight.first + lane.inFlight.retry;
    if (this.#slots.canConnect(lane, inFlight)) return true;
    lane.origin.waiting[lane.slotStanding].add(lane);
    return false;
  }

  /** Counts the lane's slots under its receiver's current standing. */
  #updateStanding(lane: Lane): void {
    const { standing } = lane.reputation;
    if (standing === lane.slotStanding) return;
    for (const kind of kinds) this.#slots.move(lane, { kind, count: lane.inFlight[kind], to: standing });
    lane.slotStanding = standing;
    if (standing === 'answering' && inFlightOf(lane) > 0) this.#watched.add(lane);
    else if (standing !== 'answering') this.#watched.delete(lane);
  }

  /** Starts attempts that wait for slots of the standing, or for connections of the origin. */
  #startWaiting(origin: Origin<Lane>, standing: Standing): void {
    const slots = this.#slots;
    for (const kind of kinds)
      this.#startFrom(slots.waitingForSlot[standing][kind], () => slots.hasFreeSlot(standing, kind));
    const hasConnection = (): boolean => slots.hasFreeConnection(origin, standing);
    this.#startFrom(origin.waiting[standing], hasConnection);
    const canReplay = (): boolean => hasConnection() && slots.hasReplayShare({ origin, slotStanding: standing });
    this.#startFrom(origin.waitingReplays[standing], canReplay);
  }

  /** Waiting lanes take turns: one start each, then back to the end. */
  #startFrom(waiting: FairQueue<Lane>, isFree: () => boolean): void {
    waiting.takeTurns(isFree, (lane) => this.#startOne(lane) && hasWaiting(lane));
  }

  /** Puts lanes with an overdue answer in doubt, if there is room for them there, to free their slots for others. */
  #checkOverdue(): void {
    this.#tick++;
    const origins = new Set<Origin<Lane>>();
    for (const lane of this.#watched) {
      if (this.#tick - lane.lastAnswerTick <= ticksPerDoubt || !this.#slots.fitsInDoubt(lane)) continue;
      lane.reputation.doubt();
      lane.isSlow = true;
      this.#updateStanding(lane);
      origins.add(lane.origin);
    }
    for (const origin of origins) this.#startWaiting(origin, 'answering');
    if (this.#watched.size > 0) return;
    clearInterval(this.#watchTimer);
    this.#watchTimer = undefined;
  }

  #dropIfIdle(lane: Lane): void {
    if (inFlightOf(lane) > 0) return;
    lane.rateLimit.close();
    this.#watched.delete(lane);
    this.#deferred.delete(lane);
    this.#pacedStarts.delete(lane);
    this.#slots.removeLane(lane);
  }
}
