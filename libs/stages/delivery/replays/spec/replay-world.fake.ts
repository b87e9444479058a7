// Runs delivery's test world with one webhook and one subscription, requests replays, and returns their results.
import { until } from '../../../../../test/support/until.ts';
import type { CursorCounters } from '../../../../domain/delivery/messages.ts';
import type { ReplayPosition } from '../../../../domain/delivery/replay/position.ts';
import type { DeliveryLimits } from '../../delivery-limits.ts';
import { DeliveryWorld } from '../../delivery.world.fake.ts';
import type { ReplayRequested } from '../../replay-cursors/followed-replay.ts';

const earliest: ReplayPosition = { by: 'earliest', value: 0 };
const now: ReplayPosition = { by: 'now', value: 0 };

interface ReplayData {
  readonly state: string;
  readonly reason: string | null;
  readonly total: number | null;
  readonly ends?: { readonly first: string; readonly last: string };
  readonly open: readonly unknown[];
  readonly counters: CursorCounters;
}

export class ReplayWorld extends DeliveryWorld {
  /** `filters`: those of the subscription; by default none. */
  static async with(
    settings: Parameters<DeliveryWorld['addWebhook']>[1] = {},
    filters: readonly unknown[] = [],
    limits: Partial<DeliveryLimits> = { flushCompletions: 3, flushMs: 2 },
  ): Promise<ReplayWorld> {
    const world = new ReplayWorld(limits);
    await world.addKey();
    await world.addWebhook('wh_1', settings);
    const data = { subscriptionId: 'sub_1', partition: 0, filters };
    if (filters.length > 0) await world.append('subscriptions', world.record('FilterDefined', 'sub_1/filter', data));
    await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
    return world;
  }

  async requestReplay(replayId: string, overrides: Partial<ReplayRequested['data']> = {}): Promise<void> {
    const order = { replayId, subscriptionId: 'sub_1', emitterId: 'dc_a', only: 'all', rate: null, fingerprint: null };
    await this.#request('ReplayRequested', { ...order, from: earliest, to: now, ...overrides });
  }

  cancel(replayId: string, emitterId = 'dc_a'): Promise<void> {
    return this.#request('ReplayCancelRequested', { replayId, subscriptionId: 'sub_1', emitterId });
  }

  /** The replay's state in its newest record. */
  replay(replayId: string): ReplayData | undefined {
    return this.log.records('replays').findLast(({ key }) => key === replayId)?.data as ReplayData | undefined;
  }

  whenDone(replayId: string): Promise<unknown> {
    return until(`${replayId} to be done`, () => this.replay(replayId)?.state === 'done');
  }

  /** The numbers that a replay sent to the receiver, in order. */
  resent(replayId: string): number[] {
    return this.#sent(replayId);
  }

  sentLive(): number[] {
    return this.#sent(undefined);
  }

  #sent(replayId: string | undefined): number[] {
    return this.webhook.calls
      .filter(({ request }) => request.headers['webhook-replay-id'] === replayId)
      .map(({ request }) => (JSON.parse(request.body) as { n: number }).n);
  }

  async #request(type: string, data: object): Promise<void> {
    const record = this.record(type, 'sub_1', data);
    await this.log.request({ topic: 'requests', partition: 0, record: record as never });
  }
}
