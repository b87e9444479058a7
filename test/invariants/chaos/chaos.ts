// A chaos run: orders are published while processes are killed, receivers misbehave, and replays begin and are cancelled.
import { createClient } from '../../../libs/client/index.ts';
import type { Client, SubscriptionDetail } from '../../../libs/client/index.ts';
import { Product } from '../../support/product.ts';
import { pause, until } from '../../support/until.ts';
import { Draw } from './draw.ts';
import { killOne } from './kills.ts';
import { Orders } from './orders.ts';
import { castOf } from './listening.ts';
import type { Listening } from './listening.ts';
import { Receivers } from './receivers.ts';
import type { Mood } from './receivers.ts';
import { problemsOf } from './samples.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** Time with faults, in so many rounds; after each all is well until what was published has been counted. */
  readonly seconds: number;
  readonly rounds: number;
  /** Publishing ends after so many events. */
  readonly eventsMax: number;
}

export interface Outcome {
  readonly published: number;
  readonly requests: number;
  readonly kills: number;
  readonly replays: number;
  readonly samples: number;
  /** Nothing here: everything held. */
  readonly problems: readonly string[];
}

const channels = 3;
const batchMax = 100;
/** Publishing waits while a subscription is this far behind: what is left when all is well again takes seconds then. */
const behindMax = 1_000;
const sampleEveryMs = 40;
const faultEveryMs = 1_500;
/** A start of everything, and what had been left to do. */
const settleMs = 180_000;
/** More tell nothing new. */
const problemsMax = 20;
const moods: readonly Mood[] = ['well', 'failing', 'hanging', 'closing', 'some'];

export class Chaos {
  readonly #options: ChaosOptions;
  readonly #draw: Draw;
  readonly #product: Product;
  readonly #client: Client;
  readonly #orders: readonly Orders[];
  readonly #listening: readonly Listening[];
  readonly #problems: string[] = [];
  readonly #last = new Map<string, SubscriptionDetail>();
  #samples = 0;
  #faults = 0;
  #kills = 0;
  #replays = 0;
  #isStormy = false;
  #isOver = false;

  private constructor(
    options: ChaosOptions,
    { product, client }: { readonly product: Product; readonly client: Client },
    { orders, listening }: { readonly orders: readonly Orders[]; readonly listening: readonly Listening[] },
  ) {
    this.#options = options;
    this.#draw = new Draw(options.seed);
    this.#product = product;
    this.#client = client;
    this.#orders = orders;
    this.#listening = listening;
  }

  /** The whole run; what it started has ended when it resolves. */
  static async run(options: ChaosOptions): Promise<Outcome> {
    const [product, receivers] = await Promise.all([Product.start(), Receivers.start()]);
    try {
      const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey(), timeoutMs: 20_000 });
      const orders: Orders[] = [];
      for (let channel = 0; channel < channels; channel++) {
        const { id } = await client.deploySource({ kind: 'channel', name: `Orders ${channel}` });
        orders.push(new Orders(client, id, channel));
      }
      const listening = await castOf(client, receivers, orders);
      return await new Chaos(options, { product, client }, { orders, listening }).#play();
    } finally {
      await Promise.all([product.remove(), receivers.stop()]);
    }
  }

  async #play(): Promise<Outcome> {
    const sampling = this.#sample();
    try {
      for (let round = 0; round < this.#options.rounds; round++) await this.#round(round);
      await this.#end();
    } finally {
      this.#isOver = true;
      await sampling;
    }
    const requests = this.#listening.reduce((sum, { taken }) => sum + taken.requests, 0);
    const counts = { kills: this.#kills, replays: this.#replays, samples: this.#samples };
    return { published: this.#published, requests, ...counts, problems: this.#problems };
  }

  async #round(round: number): Promise<void> {
    const { seed, seconds, rounds } = this.#options;
    const until = performance.now() + (seconds * 1_000) / rounds;
    this.#isStormy = true;
    const publishing = this.#orders.map((orders, channel) => this.#publish(orders, new Draw(seed + round + channel)));
    while (performance.now() < until) {
      await pause(this.#draw.below(faultEveryMs));
      await this.#fault();
    }
    this.#isStormy = false;
    await Promise.all(publishing);
    for (const { taken, isSteady } of this.#listening) if (!isSteady) taken.mood = 'well';
    await this.#counted();
  }

  async #publish(orders: Orders, draw: Draw): Promise<void> {
    while (this.#isStormy && this.#published < this.#options.eventsMax) {
      await orders.publish(1 + draw.below(batchMax));
      while (this.#isStormy && this.#behind(orders) > behindMax) await pause(sampleEveryMs);
    }
  }

  get #published(): number {
    return this.#orders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** How many the slowest subscription to the channel has still to get. */
  #behind({ sourceId, acknowledged }: Orders): number {
    const ended = this.#listening
      .filter(({ emitterId }) => emitterId === sourceId)
      .map(({ subscriptionId }) => this.#last.get(subscriptionId)?.counters)
      .map((counters) => (counters === undefined ? 0 : counters.published - counters.pending));
    return acknowledged - Math.min(...ended);
  }

  async #fault(): Promise<void> {
    // In turn, so that a short run has each of them too.
    switch (this.#faults++ % 4) {
      case 1:
        return this.#replay();
      case 2:
        this.#kills++;
        return killOne(this.#product, this.#draw);
      default: {
        const one = this.#draw.of(this.#listening.filter(({ isSteady }) => !isSteady));
        if (one !== undefined) one.taken.mood = this.#draw.of(moods) ?? 'well';
      }
    }
  }

  /** Begun, and in half of the cases cancelled in the middle; the product may be away. */
  async #replay(): Promise<void> {
    const { subscriptionId } = this.#draw.of(this.#listening.filter(({ isGlob }) => !isGlob)) ?? { subscriptionId: '' };
    const only = this.#draw.of(['all', 'failed', 'parked'] as const) ?? 'all';
    const replay = await this.#client.replay(subscriptionId, { only }).catch(() => undefined);
    if (replay === undefined) return;
    this.#replays++;
    if (this.#draw.below(2) === 0) return;
    await pause(this.#draw.below(faultEveryMs));
    await this.#client.cancelReplay(subscriptionId, replay.id).catch(() => undefined);
  }

  /** One subscription after the other, whatever happens meanwhile. */
  async #sample(): Promise<void> {
    while (!this.#isOver) {
      for (const { subscriptionId } of this.#listening) await this.#look(subscriptionId);
      await pause(sampleEveryMs);
    }
  }

  async #look(subscriptionId: string): Promise<SubscriptionDetail | undefined> {
    const detail = await this.#client.subscription(subscriptionId).catch(() => undefined);
    if (detail === undefined) return undefined;
    this.#samples++;
    const before = this.#last.get(subscriptionId);
    const askedOf = (id: string): number => this.#orders.find(({ sourceId }) => sourceId === id)?.asked ?? 0;
    this.#tell(problemsOf(detail, before, (id) => ({ asked: askedOf(id) })));
    this.#last.set(subscriptionId, detail);
    return detail;
  }

  #tell(problems: readonly string[]): void {
    this.#problems.push(...problems.slice(0, problemsMax - this.#problems.length));
  }

  /** Everywhere as much is published as was acknowledged, no more and no less. */
  async #counted(): Promise<void> {
    await this.#each(
      'to count what was acknowledged',
      (listening, { published }) => published === listening.expected(),
    );
  }

  #each(
    what: string,
    holds: (listening: Listening, counters: SubscriptionDetail['counters']) => boolean,
  ): Promise<unknown> {
    return Promise.all(
      this.#listening.map((listening) => {
        const { subscriptionId, name } = listening;
        const isSo = (): boolean => {
          const counters = this.#last.get(subscriptionId)?.counters;
          return counters !== undefined && holds(listening, counters);
        };
        return until(`${name} ${what}`, isSo, settleMs).catch((error: unknown) =>
          this.#tell([`${String(error)}: ${JSON.stringify(this.#last.get(subscriptionId))}`]),
        );
      }),
    );
  }

  /** All that can be delivered is; then what was parked, by a replay. */
  async #end(): Promise<void> {
    await this.#each('to have nothing pending', (_, { pending }) => pending === 0);
    const parked = this.#listening.filter(
      ({ subscriptionId, isGlob }) => !isGlob && (this.#last.get(subscriptionId)?.counters.parked ?? 0) > 0,
    );
    for (const { subscriptionId } of parked) await this.#client.replay(subscriptionId, { only: 'parked' });
    await this.#each('to have nothing parked', ({ isGlob }, { parked: left }) => isGlob || left === 0);
    for (const listening of this.#listening) this.#expectWhole(listening);
  }

  /** Everything has arrived, and the counters say so. */
  #expectWhole(listening: Listening): void {
    const { name, subscriptionId, isGlob, isSteady, isFiltered, taken } = listening;
    const counters = this.#last.get(subscriptionId)?.counters;
    const told = (what: string): string => `${name}: ${what}: ${JSON.stringify(counters)}`;
    const of = this.#orders.filter(({ sourceId }) => isGlob || sourceId === listening.emitterId);
    const wanted = of.reduce((sum, orders) => sum + (isFiltered ? orders.asEven : orders.acknowledged), 0);
    const problems: string[] = [];
    const lost = counters?.parked ?? 0;
    if (counters?.delivered !== wanted - lost) problems.push(told(`not ${wanted} are delivered`));
    if (counters?.filtered !== listening.expected() - wanted) problems.push(told('others are filtered than should be'));
    const arrived = [...taken.orders.values()].reduce((sum, orders) => sum + orders.size, 0);
    if (arrived < wanted - lost) problems.push(told(`only ${arrived} of ${wanted} have arrived`));
    if (isSteady && taken.outOfOrder > 0) problems.push(told(`${taken.outOfOrder} came out of order`));
    this.#tell(problems);
  }
}
