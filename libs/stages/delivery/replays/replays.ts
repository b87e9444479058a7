// Runs the replays of one partition: takes requests, and runs each replay in turn to its end, with a separate cursor.
import { isKeyTied } from '../../../domain/definition/recorded-requests.ts';
import { isUndivided } from '../../../domain/delivery/replay/parts.ts';
import type { ReplayReason, ReplayRequest } from '../../../domain/delivery/replay/messages.ts';
import { hasEnded, liveReplaysMax, runningReplaysMax } from '../../../domain/delivery/replay/replay.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import type { BlockedAlerts } from '../settling/blocked-alerts.ts';
import { type Subscription } from '../subscriptions/subscription.ts';
import type { WebhookTarget } from '../targets/target.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import { createCursor, prepare, type FollowedReplay, type PreparationOptions, type Prepared } from './preparation.ts';
import type { SourceScanOptions } from '../reading/scan.ts';
import { SharedScans } from '../reading/shared-scans.ts';
import { requestsOfParts } from './requests-of-parts.ts';
import { noteReplayedRange } from './range.ts';
import { removeIfDrained, ReplayCursor } from '../replay-cursors/replay-cursor.ts';
import {
  newReplay,
  outdatedReplays,
  replayAdvanced,
  replayForgotten,
  type ReplayRequested,
  type Replay,
} from '../replay-cursors/followed-replay.ts';

/** How long a request waits for its subscription's definition. */
const definitionWaitMs = 10_000;

export interface ReplaysOptions
  extends
    Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots' | 'ambient' | 'replayQuota'>,
    Pick<SourceScanOptions, 'sourceRecords'>,
    Pick<PreparationOptions, 'buffer' | 'tailAt' | 'deleted' | 'deletions'> {
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly blocked: Pick<BlockedAlerts, 'restore' | 'noteReplayOver'>;
  readonly dispatcher: Pick<Dispatcher, 'enqueue' | 'resume' | 'restartSuspended'>;
}

/** The replays of one subscription, in the order of the requests. */
interface OwnReplays {
  readonly all: Set<FollowedReplay>;
  /** The replays that run in this process. */
  readonly running: Set<FollowedReplay>;
}

const isDry = ({ order }: Replay): boolean => order.dryRun === true;
const hasRoom = ({ running }: OwnReplays, replay: Replay): boolean =>
  [...running].filter((one) => isDry(one) === isDry(replay)).length < runningReplaysMax;

export class Replays {
  readonly #options: ReplaysOptions;
  readonly #preparation: PreparationOptions;
  readonly #byId = new Map<string, FollowedReplay>();
  readonly #bySubscription = new Map<string, OwnReplays>();
  /** Subscriptions whose definition has not arrived, each with the timer that ends the wait. */
  readonly #awaitingDefinition = new Map<string, NodeJS.Timeout>();
  #closed = false;

  /** `restored`: the replays on the log. */
  constructor(options: ReplaysOptions, restored: readonly Replay[]) {
    this.#options = options;
    const { replayQuota, dispatcher } = options;
    const canRemember = (replay: Replay, count: number): boolean => replayQuota.remember(replay, count);
    const task = { ...options, scans: new SharedScans(options) };
    this.#preparation = { ...options, task, canRemember, onDue: (cursor) => dispatcher.enqueue(cursor) };
    for (const replay of restored.toSorted((a, b) => a.requestedAt - b.requestedAt)) this.#restore(replay);
  }

  /** Continues the replays on the log. All definitions were read: a subscription without one was deleted. */
  start(): void {
    for (const subscriptionId of [...this.#bySubscription.keys()]) {
      if (this.#options.registry.subscription(subscriptionId) === undefined) this.#forgetAll(subscriptionId);
      else this.#startSome(subscriptionId);
    }
  }

  /** Takes a request; `end`: the end of `channels` when the request was read. */
  handle(record: RecordOn<'requests'> & ReplayRequest, end: number): void {
    if (isUndivided(record)) return this.#divide(record);
    const replay = this.#byId.get(record.data.replayId);
    if (record.type === 'ReplayCancelRequested') {
      if (replay !== undefined && !hasEnded(replay.state)) this.#end(replay, 'cancelled', 'requested');
    } else if (replay === undefined && !this.#isRepeat(record)) this.#accept(newReplay(record, end));
  }

  /** Whether it repeats a request with the same Idempotency-Key from before midnight, when the key meant another id. */
  #isRepeat({ data: { formerId }, at }: ReplayRequested): boolean {
    const former = formerId === undefined ? undefined : this.#byId.get(formerId);
    return former !== undefined && isKeyTied(former.requestedAt, at);
  }

  /** Whether a replay of the subscription has not ended. */
  isReplaying(subscriptionId: string): boolean {
    const all = this.#bySubscription.get(subscriptionId)?.all ?? [];
    return [...all].some(({ state }) => !hasEnded(state));
  }

  /** Call whenever an attempt has ended or events were read: the replay might be over. */
  check(cursor: SourceCursor): void {
    if (!(cursor instanceof ReplayCursor)) return;
    const replay = this.#byId.get(cursor.replayId);
    if (replay?.state === 'running' && cursor.isOver) this.#end(replay, 'done', null);
    else removeIfDrained(cursor);
  }

  /** Call when the subscription's definition was read. */
  onOpened({ subscriptionId }: Subscription): void {
    clearTimeout(this.#awaitingDefinition.get(subscriptionId));
    this.#awaitingDefinition.delete(subscriptionId);
    this.#startSome(subscriptionId);
  }

  onClosed({ subscriptionId }: Subscription): void {
    this.#forgetAll(subscriptionId);
  }

  /** Call when the subscription's first events were found: its replays can continue. */
  onFirstEventsFound({ replays }: Subscription): void {
    for (const cursor of replays ?? []) this.#options.dispatcher.enqueue(cursor);
  }

  /** Call when sending to the webhook continues, or its settings have changed. */
  onChanged(webhook: WebhookTarget): void {
    this.#options.dispatcher.restartSuspended(this.#cursorsTo(webhook));
    for (const { subscriptionId } of this.#options.registry.subscriptionsOf(webhook)) {
      for (const replay of this.#bySubscription.get(subscriptionId)?.running ?? [])
        this.#options.replayQuota.resume(replay);
      this.#startSome(subscriptionId);
    }
  }

  onStopped(webhook: WebhookTarget, isDeleted: boolean): void {
    for (const { subscriptionId } of this.#options.registry.subscriptionsOf(webhook))
      for (const replay of [...(this.#bySubscription.get(subscriptionId)?.all ?? [])]) {
        if (hasEnded(replay.state)) continue;
        if (isDeleted) this.#end(replay, 'cancelled', 'webhook_deleted');
        else this.#pause(replay);
      }
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#awaitingDefinition.values()) clearTimeout(timer);
    for (const replay of this.#byId.values()) this.#release(replay);
  }

  /** Pauses a replay, and lets others use its place; a dry run continues, because it needs no receiver. */
  #pause(replay: FollowedReplay): void {
    replay.cursor?.fallBehind();
    if (!isDry(replay)) this.#options.replayQuota.pause(replay);
  }

  #restore(replay: FollowedReplay): void {
    this.#add(replay);
    const subscription = this.#options.registry.subscription(replay.order.subscriptionId);
    const { range, total, state } = replay;
    if (subscription !== undefined) noteReplayedRange(replay, subscription);
    if (subscription === undefined || range === null || total === null || hasEnded(state)) return;
    this.#options.blocked.restore(createCursor(replay, subscription, range, this.#preparation));
  }

  /** Writes the request for each part, in one append; a repetition after a crash has no effect. */
  #divide(record: RecordOn<'requests'> & ReplayRequest): void {
    const { context, outbox } = this.#options;
    for (const request of requestsOfParts(record, context.log.partitions)) outbox.appendNow(request);
  }

  #accept(replay: FollowedReplay): void {
    const { subscriptionId } = replay.order;
    const { all } = this.#add(replay);
    const unended = [...all].filter(({ state }) => !hasEnded(state)).length;
    if (unended > liveReplaysMax) return this.#end(replay, 'cancelled', 'too_many_replays');
    this.#save(replay);
    this.#startSome(subscriptionId);
  }

  #add(replay: FollowedReplay): OwnReplays {
    const { replayId, subscriptionId } = replay.order;
    const own = this.#bySubscription.get(subscriptionId) ?? { all: new Set(), running: new Set() };
    this.#bySubscription.set(subscriptionId, own);
    this.#byId.set(replayId, replay);
    own.all.add(replay);
    return own;
  }

  /** Begins as many of the subscription's replays as can run, the oldest first; dry runs do not wait for others. */
  #startSome(subscriptionId: string): void {
    const own = this.#bySubscription.get(subscriptionId);
    if (own === undefined || this.#closed) return;
    const subscription = this.#options.registry.subscription(subscriptionId);
    if (subscription === undefined) return this.#waitFor(subscriptionId);
    for (const replay of own.all)
      if (!hasEnded(replay.state) && !own.running.has(replay) && hasRoom(own, replay))
        this.#start(replay, subscription, own);
  }

  /** Topics are read concurrently, so a request can come before its subscription's definition: waits for that. */
  #waitFor(subscriptionId: string): void {
    if (this.#awaitingDefinition.has(subscriptionId)) return;
    const timer = setTimeout(() => {
      this.#awaitingDefinition.delete(subscriptionId);
      this.#forgetAll(subscriptionId);
    }, definitionWaitMs);
    this.#awaitingDefinition.set(subscriptionId, timer);
  }

  #start(replay: FollowedReplay, subscription: Subscription, { running }: OwnReplays): void {
    const { replayQuota, context } = this.#options;
    const { subscriptionId } = subscription;
    // While nothing is sent to a webhook, its replays use no place in the process.
    if (subscription.webhook.stopped && !isDry(replay)) return;
    if (!replayQuota.tryStart(replay, () => this.#startSome(subscriptionId))) return;
    running.add(replay);
    noteReplayedRange(replay, subscription);
    if (replay.state === 'pending') {
      replay.state = 'running';
      this.#save(replay);
    }
    const shouldContinue = (): boolean => !this.#closed && !subscription.closed && replay.state === 'running';
    prepare(replay, subscription, shouldContinue, this.#preparation).then(
      (prepared) => {
        if (shouldContinue()) this.#startPrepared(replay, prepared);
      },
      (error: unknown) => {
        if (!this.#closed) context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  #startPrepared(replay: FollowedReplay, prepared: Prepared): void {
    const { cursor } = replay;
    if (prepared !== 'ready') return this.#end(replay, 'cancelled', prepared);
    if (cursor === undefined) return;
    if (isDry(replay)) return this.#end(replay, 'done', null);
    cursor.start();
    this.#save(replay);
    this.#options.dispatcher.resume(cursor);
    this.check(cursor);
  }

  #end(replay: FollowedReplay, state: 'done' | 'cancelled', reason: ReplayReason | null): void {
    const { subscriptionId } = replay.order;
    Object.assign(replay, { state, reason, endedAt: this.#options.ambient.now() });
    this.#release(replay);
    if (replay.cursor !== undefined) this.#options.blocked.noteReplayOver(replay.cursor);
    this.#save(replay);
    this.#forgetOldest(subscriptionId);
    this.#startSome(subscriptionId);
  }

  #forgetOldest(subscriptionId: string): void {
    const all = this.#bySubscription.get(subscriptionId)?.all ?? [];
    for (const replay of outdatedReplays([...all].filter(({ state }) => hasEnded(state)))) this.#forget(replay);
  }

  /** Releases everything that the replay holds except its record. Attempts in flight continue to their end. */
  #release(replay: FollowedReplay): void {
    const { cursor, order } = replay;
    this.#bySubscription.get(order.subscriptionId)?.running.delete(replay);
    cursor?.end();
    if (cursor !== undefined) removeIfDrained(cursor);
    this.#options.replayQuota.release(replay);
  }

  #forgetAll(subscriptionId: string): void {
    for (const replay of this.#bySubscription.get(subscriptionId)?.all ?? []) this.#forget(replay);
    this.#bySubscription.delete(subscriptionId);
  }

  #forget(replay: FollowedReplay): void {
    const { context, outbox, ambient } = this.#options;
    const { replayId, subscriptionId } = replay.order;
    if (!hasEnded(replay.state)) replay.state = 'cancelled';
    this.#release(replay);
    this.#byId.delete(replayId);
    this.#bySubscription.get(subscriptionId)?.all.delete(replay);
    const { partition } = context;
    outbox.appendNow({ topic: 'replays', partition, record: replayForgotten(replay, ambient.now()) });
  }

  /** Writes the replay's record, with the attempts of its cursor that are not on the log yet. */
  #save(replay: FollowedReplay): void {
    const { context, outbox, ambient } = this.#options;
    const { partition } = context;
    if (replay.cursor !== undefined) outbox.complete(replay.cursor, [], 0);
    else
      outbox.appendNow({ topic: 'replays', partition, record: replayAdvanced(replay, replay.position, ambient.now()) });
  }

  *#cursorsTo(webhook: WebhookTarget): Generator<ReplayCursor> {
    for (const { replays } of this.#options.registry.subscriptionsOf(webhook))
      for (const cursor of replays ?? []) if (cursor instanceof ReplayCursor) yield cursor;
  }
}
