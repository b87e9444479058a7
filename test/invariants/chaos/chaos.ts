// Runs chaos: publishes orders while processes are killed, receivers misbehave, and users replay and change things.
import { createClient } from '../../../libs/client/index.ts';
import type { SubscriptionDetail } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
import { pause } from '../../support/until.ts';
import { Acts } from './acts.ts';
import type { Scene } from './acts.ts';
import { Draw } from './draw.ts';
import { expectWhole } from './whole.ts';
import { bulk, channels } from './kinds.ts';
import { castOf, publishedTo } from './listening.ts';
import type { Listening } from './listening.ts';
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
const behindMax = 250;
/** Higher for the channel `bulk`, because its listener is fast. */
const behindInBulkMax = 20_000;
const sampleEveryMs = 40;
const actEveryMs = 1_500;
/** Longest time without progress; a start of everything takes less. */
const settleMs = 180_000;
/** More problems tell nothing new. */
const problemsMax = 20;

export class Chaos {
  readonly #options: ChaosOptions;
  readonly #scene: Scene;
  readonly #acts: Acts;
  readonly #problems: string[] = [];
  readonly #last = new Map<string, SubscriptionDetail>();
  #samples = 0;
  #isStormy = false;
  #isOver = false;

  private constructor(options: ChaosOptions, scene: Scene) {
    this.#options = options;
    this.#scene = scene;
    this.#acts = new Acts(scene);
  }

  /** Runs everything; when it resolves, everything that it started has ended. */
  static async run(options: ChaosOptions): Promise<Outcome> {
    // Signs history often, so that it is signed during faults.
    const starting = Product.start({ env: { CHECKPOINT_SECONDS: '1' }, startsWithinMs: settleMs });
    const [product, receivers] = await Promise.all([starting, Receivers.start()]);
    try {
      const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey(), timeoutMs: 20_000 });
      const orders: Orders[] = [];
      for (let channel = 0; channel < channels; channel++) {
        const { id } = await client.deploySource({ kind: 'channel', name: `Orders ${channel}` });
        orders.push(new Orders(client, id, channel));
      }
      const listening = await castOf(client, receivers, orders);
      const draw = new Draw(options.seed);
      return await new Chaos(options, { product, client, receivers, orders, listening, draw }).#play();
    } finally {
      await Promise.all([product.remove(), receivers.stop()]);
    }
  }

  async #play(): Promise<Outcome> {
    const sampling = this.#sample();
    const { seconds, events } = this.#options;
    const end = performance.now() + seconds * 1_000;
    try {
      for (let round = 0; performance.now() < end || this.#published < events; round++) {
        await this.#round(round);
        this.#options.tell?.(this.#outcome);
      }
      await this.#end();
    } finally {
      this.#isOver = true;
      await sampling;
    }
    return this.#outcome;
  }

  get #outcome(): Outcome {
    const requests = this.#scene.listening.reduce((sum, { taken }) => sum + taken.requests, 0);
    const counts = { kills: this.#acts.kills, replays: this.#acts.replays.length, samples: this.#samples };
    return { published: this.#published, requests, ...counts, problems: this.#problems };
  }

  async #round(round: number): Promise<void> {
    const { seed, roundSeconds } = this.#options;
    const end = performance.now() + roundSeconds * 1_000;
    this.#isStormy = true;
    const publishing = this.#scene.orders.map((orders) =>
      this.#publish(orders, new Draw(seed + round * channels + orders.channel)),
    );
    while (performance.now() < end) {
      await pause(this.#scene.draw.below(actEveryMs));
      await this.#acts.next();
    }
    this.#isStormy = false;
    await Promise.all(publishing);
    await this.#acts.calm();
    // Each subscription's counter is exactly what was acknowledged.
    await this.#each('count what was acknowledged', (listening, { published }) => published === publishedTo(listening));
  }

  async #publish(orders: Orders, draw: Draw): Promise<void> {
    const behind = orders.channel === bulk ? behindInBulkMax : behindMax;
    while (this.#isStormy) {
      await orders.publish(orders.channel === bulk ? batchMax : 1 + draw.below(batchMax));
      while (this.#isStormy && this.#behind(orders) > behind) await pause(sampleEveryMs);
    }
  }

  get #published(): number {
    return this.#scene.orders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** How many orders of the channel its slowest subscription still has to get. */
  #behind({ sourceId, acknowledged }: Orders): number {
    const ended = this.#scene.listening
      .filter(({ emitterId }) => emitterId === sourceId)
      .map(({ subscriptionId }) => this.#last.get(subscriptionId)?.counters)
      .map((counters) => (counters === undefined ? 0 : counters.published - counters.pending));
    return acknowledged - Math.min(...ended);
  }

  /** Checks one subscription after another, also during faults. */
  async #sample(): Promise<void> {
    while (!this.#isOver) {
      for (const listening of [...this.#scene.listening]) await this.#look(listening);
      await pause(sampleEveryMs);
    }
  }

  async #look({ subscriptionId, webhookId }: Listening): Promise<void> {
    const { client } = this.#scene;
    const detail = await client.subscription(subscriptionId).catch(() => undefined);
    if (detail === undefined) return;
    // Its receiver has answered 410; the owner activates it again.
    if (detail.state === 'disabled') await client.resumeWebhook(webhookId).catch(() => undefined);
    this.#samples++;
    const before = this.#last.get(subscriptionId);
    const askedOf = (id: string): number => this.#scene.orders.find(({ sourceId }) => sourceId === id)?.asked ?? 0;
    this.#tell(problemsOf(detail, before, (id) => ({ asked: askedOf(id) })));
    this.#last.set(subscriptionId, detail);
  }

  #tell(problems: readonly string[]): void {
    this.#problems.push(...problems.slice(0, problemsMax - this.#problems.length));
  }

  #each(
    what: string,
    holds: (listening: Listening, counters: SubscriptionDetail['counters']) => boolean,
  ): Promise<unknown> {
    return Promise.all(
      this.#scene.listening.map(async (listening) => {
        const counters = (): SubscriptionDetail['counters'] | undefined =>
          this.#last.get(listening.subscriptionId)?.counters;
        const isSo = (): boolean => {
          const now = counters();
          return now !== undefined && holds(listening, now);
        };
        if (await settled(isSo, () => JSON.stringify(counters()))) return;
        const last = JSON.stringify(this.#last.get(listening.subscriptionId));
        this.#tell([`${listening.name} does not ${what}: ${last}; ${publishedTo(listening)} were acknowledged`]);
      }),
    );
  }

  /** Waits until everything deliverable is delivered, and then replays what was parked. */
  async #end(): Promise<void> {
    const { client, listening } = this.#scene;
    await this.#each('end what is pending', (_, { pending }) => pending === 0);
    for (const { replayId, listening: one } of this.#acts.replays.filter((begun) =>
      listening.includes(begun.listening),
    )) {
      const hasEnded = async (): Promise<boolean> => {
        const { state } = await client.replayOf(one.subscriptionId, replayId);
        return state === 'done' || state === 'cancelled';
      };
      if (!(await settled(hasEnded, () => String(one.taken.requests))))
        this.#tell([`${one.name}: ${replayId} does not end`]);
    }
    const parked = listening.filter(
      ({ subscriptionId, isGlob }) => !isGlob && (this.#last.get(subscriptionId)?.counters.parked ?? 0) > 0,
    );
    for (const { subscriptionId } of parked) await client.replay(subscriptionId, { only: 'parked' });
    const mayStand = ({ isGlob, kind: { throws } }: Listening): boolean => isGlob || throws !== undefined;
    await this.#each('deliver what is parked', (one, { parked: left }) => mayStand(one) || left === 0);
    this.#tell(await expectWhole(this.#scene, this.#acts, this.#last));
  }
}

/** Whether it holds in the end; waits as long as there is progress. */
async function settled(holds: () => boolean | Promise<boolean>, progress: () => string): Promise<boolean> {
  let [before, deadline] = ['', 0];
  while (!(await holds())) {
    const now = progress();
    if (now !== before) [before, deadline] = [now, performance.now() + settleMs];
    if (performance.now() > deadline) return false;
    await pause(sampleEveryMs);
  }
  return true;
}
