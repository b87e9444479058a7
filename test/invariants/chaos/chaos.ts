// Runs chaos: publishes orders while processes are killed, receivers misbehave, and users replay and change things.
import { createClient } from '../../../libs/client/index.ts';
import type { SubscriptionDetail } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
import { pause } from '../../support/until.ts';
import { Actions } from './actions.ts';
import type { Scene } from './actions.ts';
import { Draw } from './draw.ts';
import { checkOutcome } from './final-checks.ts';
import { bulk, channels } from './kinds.ts';
import { createListeners, publishedTo } from './listeners.ts';
import type { Listener } from './listeners.ts';
import { Orders } from './orders.ts';
import { Receivers } from './receivers.ts';
import { problemsOf } from './samples.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** Publishing and faults last at least so long, and until there are `events` events. */
  readonly seconds: number;
  readonly events: number;
  /** After each round, faults stop until everything published has been counted. */
  readonly roundSeconds: number;
  /** Called after each round. */
  readonly tell?: (so: Outcome) => void;
}

export interface Outcome {
  readonly published: number;
  readonly requests: number;
  readonly kills: number;
  readonly replays: number;
  readonly samples: number;
  /** Empty: everything held. */
  readonly problems: readonly string[];
}

const batchMax = 100;
/** Publishing waits while a subscription is this far behind, so that the rest takes only seconds once faults stop. */
const lagMax = 250;
/** Higher for the channel `bulk`, because its listener is fast. */
const bulkLagMax = 20_000;
const sampleEveryMs = 40;
const actEveryMs = 1_500;
/** Longest time without progress; a start of everything takes less. */
const settleMs = 180_000;
/** More problems tell nothing new. */
const problemsMax = 20;

export class Chaos {
  readonly #options: ChaosOptions;
  readonly #scene: Scene;
  readonly #actions: Actions;
  readonly #problems: string[] = [];
  readonly #lastDetails = new Map<string, SubscriptionDetail>();
  #samples = 0;
  #isPublishing = false;
  #isOver = false;

  private constructor(options: ChaosOptions, scene: Scene) {
    this.#options = options;
    this.#scene = scene;
    this.#actions = new Actions(scene);
  }

  /** Runs everything; when it resolves, everything that it started has ended. */
  static async run(options: ChaosOptions): Promise<Outcome> {
    // Signs history often, so that it is signed during faults.
    const starting = Product.start({ env: { CHECKPOINT_SECONDS: '1' }, startTimeoutMs: settleMs });
    const [product, receivers] = await Promise.all([starting, Receivers.start()]);
    try {
      const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey(), timeoutMs: 20_000 });
      const orders: Orders[] = [];
      for (let channel = 0; channel < channels; channel++) {
        const { id } = await client.deploySource({ kind: 'channel', name: `Orders ${channel}` });
        orders.push(new Orders(client, id, channel));
      }
      const listeners = await createListeners(client, receivers, orders);
      const draw = new Draw(options.seed);
      return await new Chaos(options, { product, client, receivers, orders, listeners, draw }).#runRounds();
    } finally {
      await Promise.all([product.remove(), receivers.stop()]);
    }
  }

  async #runRounds(): Promise<Outcome> {
    const sampling = this.#sample();
    const { seconds, events } = this.#options;
    const end = performance.now() + seconds * 1_000;
    try {
      for (let round = 0; performance.now() < end || this.#published < events; round++) {
        await this.#round(round);
        this.#options.tell?.(this.#outcome);
      }
      await this.#settleAll();
    } finally {
      this.#isOver = true;
      await sampling;
    }
    return this.#outcome;
  }

  get #outcome(): Outcome {
    const requests = this.#scene.listeners.reduce((sum, { received: taken }) => sum + taken.requests, 0);
    const counts = { kills: this.#actions.kills, replays: this.#actions.replays.length, samples: this.#samples };
    return { published: this.#published, requests, ...counts, problems: this.#problems };
  }

  async #round(round: number): Promise<void> {
    const { seed, roundSeconds } = this.#options;
    const end = performance.now() + roundSeconds * 1_000;
    this.#isPublishing = true;
    const publishing = this.#scene.orders.map((orders) =>
      this.#publish(orders, new Draw(seed + round * channels + orders.channel)),
    );
    while (performance.now() < end) {
      await pause(this.#scene.draw.below(actEveryMs));
      await this.#actions.next();
    }
    this.#isPublishing = false;
    await Promise.all(publishing);
    await this.#actions.restoreAll();
    // Each subscription's counter is exactly what was acknowledged.
    await this.#expectEach(
      'count what was acknowledged',
      (listener, { published }) => published === publishedTo(listener),
    );
  }

  async #publish(orders: Orders, draw: Draw): Promise<void> {
    const allowedLag = orders.channel === bulk ? bulkLagMax : lagMax;
    while (this.#isPublishing) {
      await orders.publish(orders.channel === bulk ? batchMax : 1 + draw.below(batchMax));
      while (this.#isPublishing && this.#lagOf(orders) > allowedLag) await pause(sampleEveryMs);
    }
  }

  get #published(): number {
    return this.#scene.orders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** How many orders of the channel its slowest subscription still has to get. */
  #lagOf({ sourceId, acknowledged }: Orders): number {
    const ended = this.#scene.listeners
      .filter(({ emitterId }) => emitterId === sourceId)
      .map(({ subscriptionId }) => this.#lastDetails.get(subscriptionId)?.counters)
      .map((counters) => (counters === undefined ? 0 : counters.published - counters.pending));
    return acknowledged - Math.min(...ended);
  }

  /** Checks one subscription after another, also during faults. */
  async #sample(): Promise<void> {
    while (!this.#isOver) {
      for (const listener of [...this.#scene.listeners]) await this.#sampleOne(listener);
      await pause(sampleEveryMs);
    }
  }

  async #sampleOne({ subscriptionId, webhookId }: Listener): Promise<void> {
    const { client } = this.#scene;
    const detail = await client.subscription(subscriptionId).catch(() => undefined);
    if (detail === undefined) return;
    // Its receiver has answered 410; the owner activates it again.
    if (detail.state === 'disabled') await client.resumeWebhook(webhookId).catch(() => undefined);
    this.#samples++;
    const previous = this.#lastDetails.get(subscriptionId);
    const sentOf = (id: string): number => this.#scene.orders.find(({ sourceId }) => sourceId === id)?.sent ?? 0;
    this.#addProblems(problemsOf(detail, previous, (id) => ({ sent: sentOf(id) })));
    this.#lastDetails.set(subscriptionId, detail);
  }

  #addProblems(problems: readonly string[]): void {
    this.#problems.push(...problems.slice(0, problemsMax - this.#problems.length));
  }

  #expectEach(
    what: string,
    condition: (listener: Listener, counters: SubscriptionDetail['counters']) => boolean,
  ): Promise<unknown> {
    return Promise.all(
      this.#scene.listeners.map(async (listener) => {
        const counters = (): SubscriptionDetail['counters'] | undefined =>
          this.#lastDetails.get(listener.subscriptionId)?.counters;
        const isMet = (): boolean => {
          const current = counters();
          return current !== undefined && condition(listener, current);
        };
        if (await becomesTrue(isMet, () => JSON.stringify(counters()))) return;
        const last = JSON.stringify(this.#lastDetails.get(listener.subscriptionId));
        this.#addProblems([`${listener.name} does not ${what}: ${last}; ${publishedTo(listener)} were acknowledged`]);
      }),
    );
  }

  /** Waits until everything deliverable is delivered, and then replays what was parked. */
  async #settleAll(): Promise<void> {
    const { client, listeners } = this.#scene;
    await this.#expectEach('end what is pending', (_, { pending }) => pending === 0);
    for (const { replayId, listener: one } of this.#actions.replays.filter((started) =>
      listeners.includes(started.listener),
    )) {
      const hasEnded = async (): Promise<boolean> => {
        const { state } = await client.replayOf(one.subscriptionId, replayId);
        return state === 'done' || state === 'cancelled';
      };
      if (!(await becomesTrue(hasEnded, () => String(one.received.requests))))
        this.#addProblems([`${one.name}: ${replayId} does not end`]);
    }
    const parked = listeners.filter(
      ({ subscriptionId, isGlob }) => !isGlob && (this.#lastDetails.get(subscriptionId)?.counters.parked ?? 0) > 0,
    );
    for (const { subscriptionId } of parked) await client.replay(subscriptionId, { only: 'parked' });
    const mayStayParked = ({ isGlob, kind: { throws } }: Listener): boolean => isGlob || throws !== undefined;
    await this.#expectEach(
      'deliver what is parked',
      (one, { parked: remaining }) => mayStayParked(one) || remaining === 0,
    );
    this.#addProblems(await checkOutcome(this.#scene, this.#actions, this.#lastDetails));
  }
}

/** Whether it holds in the end; waits as long as there is progress. */
async function becomesTrue(condition: () => boolean | Promise<boolean>, progress: () => string): Promise<boolean> {
  let [before, deadline] = ['', 0];
  while (!(await condition())) {
    const now = progress();
    if (now !== before) [before, deadline] = [now, performance.now() + settleMs];
    if (performance.now() > deadline) return false;
    await pause(sampleEveryMs);
  }
  return true;
}
