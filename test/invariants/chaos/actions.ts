// The acts of a chaos run, in turn: faults of receivers, kills of processes, and changes that users make meanwhile.
import { ApiError } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import type { Product } from '../../support/product.ts';
import { pause } from '../../support/until.ts';
import type { Draw } from './draw.ts';
import { killOne } from './kills.ts';
import { bulk, transformOf } from './kinds.ts';
import { createLatecomer } from './listeners.ts';
import type { Listener } from './listeners.ts';
import type { Orders } from './orders.ts';
import type { Receivers } from './receivers.ts';
import type { Mood } from './received-orders.ts';

export interface Scene {
  readonly product: Product;
  readonly client: Client;
  readonly receivers: Receivers;
  readonly orders: readonly Orders[];
  /** Changes when latecomers join and leave. */
  readonly listeners: Listener[];
  readonly draw: Draw;
}

export interface StartedReplay {
  readonly listener: Listener;
  readonly replayId: string;
}

const moods: readonly Mood[] = ['well', 'failing', 'hanging', 'closing', 'some', 'flapping'];
/** Longest time until the second step of an act. */
const laterMs = 1_500;
/** Enough for a start of everything after one or two kills. */
const triesMax = 60;
const latecomersMax = 2;
/** As many as the product remembers, minus the first one. */
const transformsMax = 3;
/** Longer than any run, so that the first key signs until the end. */
const overlapSeconds = 604_800;

export class Actions {
  kills = 0;
  readonly replays: StartedReplay[] = [];
  /** How often a discard of a delivery was requested, by subscription. */
  readonly discards = new Map<string, number>();
  readonly #scene: Scene;
  #turn = 0;
  #latecomers = 0;
  #transforms = 0;
  #changes = 0;
  readonly #pendingActions = new Set<Promise<unknown>>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Plays the next act, in a fixed order, so that a short run has each. Waits only for a kill, not for the others. */
  async next(): Promise<void> {
    const actions = [
      this.#changeMood,
      this.#startReplay,
      this.#kill,
      this.#updateWebhook,
      this.#changeMood,
      this.#retryDeliveries,
      this.#pauseAndResume,
      this.#answerGone,
      this.#addLatecomer,
      this.#startReplay,
      this.#changeMood,
      this.#kill,
      this.#resumeBlocked,
      this.#discardDeliveries,
      this.#updateWebhook,
      this.#rotateSigningKey,
      this.#changeMood,
      this.#startReplay,
      this.#removeLatecomer,
      this.#resumeBlocked,
      this.#kill,
      this.#updateWebhook,
      this.#updateTransform,
      this.#changeMood,
      this.#retryDeliveries,
    ];
    const action = actions[this.#turn++ % actions.length] ?? this.#kill;
    if (action === this.#kill) return this.#kill();
    const done = action.call(this).catch(() => undefined);
    this.#pendingActions.add(done);
    void done.finally(() => this.#pendingActions.delete(done));
  }

  /** Resolves when all receivers are well, and nothing is paused or blocked. */
  async restoreAll(): Promise<void> {
    await Promise.all(this.#pendingActions);
    for (const { received: taken, kind } of this.#scene.listeners) if (kind.isSteady !== true) taken.mood = 'well';
    for (const { webhookId } of this.#scene.listeners) await this.#scene.client.resumeWebhook(webhookId);
  }

  #drawListener(matches: (listening: Listener) => boolean = () => true): Listener {
    const drawn = this.#scene.draw.of(this.#scene.listeners.filter(matches));
    if (drawn === undefined) throw new Error('nobody listens so');
    return drawn;
  }

  #kill(): Promise<void> {
    this.kills++;
    return killOne(this.#scene.product, this.#scene.draw);
  }

  async #changeMood(): Promise<void> {
    this.#drawListener(({ kind }) => kind.isSteady !== true).received.mood = this.#scene.draw.of(moods) ?? 'well';
  }

  /** Begins a replay, and cancels it in half of the cases. */
  async #startReplay(): Promise<void> {
    const { client, draw } = this.#scene;
    const listener = this.#drawListener(({ isGlob, of }) => !isGlob && of.every(({ channel }) => channel !== bulk));
    const { subscriptionId } = listener;
    const only = draw.of(['all', 'failed', 'parked'] as const) ?? 'all';
    const isCancelled = draw.below(2) === 0;
    const from = draw.below(2) === 0 ? 'earliest' : { time: Date.now() - draw.below(60_000) };
    const replay = await retryRequest(() => client.replay(subscriptionId, { only, from }));
    if (replay === undefined) return;
    const { id: replayId } = replay;
    this.replays.push({ listener, replayId });
    if (!isCancelled) return;
    await pause(draw.below(laterMs));
    await client.cancelReplay(subscriptionId, replayId);
  }

  async #updateWebhook(): Promise<void> {
    const { client } = this.#scene;
    const { webhookId, kind } = this.#drawListener(({ kind: { changes } }) => changes !== undefined);
    const { changes = [] } = kind;
    await client.updateWebhook(webhookId, changes[this.#changes++ % changes.length] ?? {});
  }

  async #retryDeliveries(): Promise<void> {
    const { client, draw } = this.#scene;
    const { subscriptionId } = this.#drawListener(({ kind }) => kind.isSteady !== true);
    const state = draw.of(['parked', 'failing'] as const) ?? 'parked';
    const { data } = await client.deliveries(subscriptionId, { state, limit: 20 });
    for (const { id } of data) await client.retryDelivery(id).catch(() => undefined);
  }

  /** Not where a transform throws, because the checks count those parked deliveries. */
  async #discardDeliveries(): Promise<void> {
    const { client, draw } = this.#scene;
    const { subscriptionId } = this.#drawListener(
      ({ kind: { isSteady = false, isGapless = false, throws } }) => !isSteady && !isGapless && throws === undefined,
    );
    const state = draw.of(['parked', 'failing'] as const) ?? 'parked';
    const { data } = await client.deliveries(subscriptionId, { state, limit: 5 });
    for (const { id } of data) {
      this.discards.set(subscriptionId, (this.discards.get(subscriptionId) ?? 0) + 1);
      await client.discardDelivery(id).catch(() => undefined);
    }
  }

  async #pauseAndResume(): Promise<void> {
    const { client, draw } = this.#scene;
    const { webhookId } = this.#drawListener();
    await client.pauseWebhook(webhookId);
    await pause(draw.below(laterMs));
    // Repeated until it is resumed, because a kill can interrupt it.
    while (!(await client.resumeWebhook(webhookId).then(...deletionHandlers))) await pause(laterMs);
  }

  /** Answers 410 to one request, if one arrives; the sampling activates the webhook again. */
  async #answerGone(): Promise<void> {
    const { received: taken } = this.#drawListener(({ kind }) => kind.isSteady !== true);
    taken.mood = 'gone';
    await pause(laterMs);
    if (taken.mood === 'gone') taken.mood = 'well';
  }

  async #resumeBlocked(): Promise<void> {
    const { client, listeners: listening } = this.#scene;
    for (const { webhookId, kind } of listening)
      if (kind.settings.ordered === true && kind.isSteady !== true)
        await client.resumeWebhook(webhookId).catch(() => undefined);
  }

  async #rotateSigningKey(): Promise<void> {
    await this.#scene.client.regenerateSigningKey(this.#drawListener().webhookId, { overlap_seconds: overlapSeconds });
  }

  /** The new version applies to events emitted from then on; copies of one event never differ. */
  async #updateTransform(): Promise<void> {
    if (this.#transforms >= transformsMax) return;
    const { subscriptionId } = this.#drawListener(({ kind }) => kind.throws !== undefined);
    await this.#scene.client.updateSubscription(subscriptionId, { transform: transformOf(++this.#transforms) });
  }

  async #addLatecomer(): Promise<void> {
    const { listeners: listening, draw } = this.#scene;
    const one = draw.of(this.#scene.orders.filter(({ channel }) => channel !== bulk));
    if (one === undefined || this.#latecomersNow.length >= latecomersMax) return;
    listening.push(await createLatecomer(this.#scene, `late ${++this.#latecomers}`, one));
  }

  async #removeLatecomer(): Promise<void> {
    const { listeners: listening, client } = this.#scene;
    const [oldest] = this.#latecomersNow;
    if (oldest === undefined) return;
    listening.splice(listening.indexOf(oldest), 1);
    while (!(await client.deleteWebhook(oldest.webhookId).then(...deletionHandlers))) await pause(laterMs);
  }

  get #latecomersNow(): readonly Listener[] {
    return this.#scene.listeners.filter(({ name }) => name.startsWith('late '));
  }
}

/** Repeats a request while the product is away; undefined: it never succeeded. */
async function retryRequest<T>(request: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const one = await request().catch(() => undefined);
    if (one !== undefined) return one;
    await pause(laterMs);
  }
  return undefined;
}

/** Whether a request is done; 404 means that an earlier request whose answer was lost has deleted the webhook. */
const deletionHandlers = [() => true, (error: unknown) => error instanceof ApiError && error.status === 404] as const;
