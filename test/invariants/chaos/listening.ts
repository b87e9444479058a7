// Who listens in a chaos run: webhooks of each kind, every one of them to every channel, and one to all sources.
import type { Client } from '../../../libs/client/index.ts';
import { customers } from './orders.ts';
import type { Orders } from './orders.ts';
import type { Mood, Receivers, Taken } from './receivers.ts';

export interface Listening {
  readonly name: string;
  readonly subscriptionId: string;
  readonly emitterId: string;
  /** Of its webhook, with the orders of this channel only. */
  readonly taken: Taken;
  /** Its receiver stays as it is, and nothing is parked: what comes is in order. */
  readonly isSteady: boolean;
  readonly isFiltered: boolean;
  readonly isGlob: boolean;
  /** How many are published to it, by what was acknowledged. */
  expected(): number;
}

interface Kind {
  readonly name: string;
  readonly mood: Mood;
  readonly settings: object;
  readonly filter?: { readonly even: readonly boolean[] };
  readonly isSteady?: boolean;
  /** In how many lines its events wait: one, or one for each customer. */
  readonly lines?: number;
}

/** Short waits, so that an event is retried, parked or given up within the run. */
const kinds: readonly Kind[] = [
  { name: 'steady', mood: 'well', settings: { ordered: true }, isSteady: true },
  {
    ...{ name: 'by customer', mood: 'some', isSteady: true, lines: customers },
    settings: { ordered: true, order_key: '/customer', retry_schedule: [0, 0, 1, 1, 1, 1] },
  },
  { name: 'ordered', mood: 'some', settings: { ordered: true, timeout_ms: 1_000, retry_schedule: [0, 1] } },
  { name: 'unordered', mood: 'some', settings: { ordered: false, timeout_ms: 1_000, retry_schedule: [1, 1] } },
  { name: 'once', mood: 'some', settings: { ordered: false, timeout_ms: 1_000, retry_schedule: [] } },
  { name: 'even', mood: 'some', settings: { ordered: false, retry_schedule: [0] }, filter: { even: [true] } },
];

export async function castOf(
  client: Client,
  receivers: Receivers,
  orders: readonly Orders[],
): Promise<readonly Listening[]> {
  const all: Listening[] = [];
  for (const { name, mood, settings, filter, isSteady = false, lines } of kinds)
    for (const [channel, one] of orders.entries()) {
      const { url, taken } = receivers.add(`/${encodeURIComponent(name)}/${channel}`, mood, lines);
      const { id: listener_id } = await client.createWebhook({ url, ...settings });
      const emitterId = one.sourceId;
      const triple = { emitter_id: emitterId, listener_id, ...(filter === undefined ? {} : { filter }) };
      const { id: subscriptionId } = await client.createSubscription(triple);
      const what = { isSteady, isFiltered: filter !== undefined, isGlob: false };
      all.push({
        ...{ name: `${name}/${channel}`, subscriptionId, emitterId, taken, ...what },
        expected: () => one.acknowledged,
      });
    }
  const { url, taken } = receivers.add('/all', 'some');
  const { id: listener_id } = await client.createWebhook({
    url,
    ordered: true,
    timeout_ms: 1_000,
    retry_schedule: [0],
  });
  const { id: subscriptionId } = await client.createSubscription({ emitter_id: 'dc_*', listener_id });
  all.push({
    ...{ name: 'all', subscriptionId, emitterId: 'dc_*', taken, isSteady: false, isFiltered: false, isGlob: true },
    expected: () => orders.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
  });
  return all;
}
