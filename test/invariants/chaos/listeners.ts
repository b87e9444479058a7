// Creates the listeners of a chaos run: webhooks of each kind, and one that gets all sources.
import type { Client, Webhook } from '../../../libs/client/index.ts';
import type { NewSubscriptionRequest } from '../../../libs/client/requests.ts';
import { bulk, kinds } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { pause } from '../../support/until.ts';
import { orderOf } from './orders.ts';
import type { Order, Orders } from './orders.ts';
import type { Receivers } from './receivers.ts';
import type { ReceivedOrders } from './received-orders.ts';

export interface Listener {
  readonly name: string;
  readonly kind: Kind;
  readonly webhookId: string;
  readonly subscriptionId: string;
  readonly emitterId: string;
  /** What its webhook has received. */
  readonly received: ReceivedOrders;
  /** The orders of its channel, or of all channels. */
  readonly of: readonly Orders[];
  readonly isGlob: boolean;
}

/** Wait before a repeated request, while a killed product starts. */
const againMs = 1_000;

export interface Sums {
  /** Acknowledged orders of its channels. */
  readonly published: number;
  readonly wanted: number;
  /** Wanted, and never delivered. */
  readonly thrown: number;
}

/** The expected counts, from the acknowledged orders. */
export function sumsOf({ kind: { isWanted, throws }, of }: Listener): Sums {
  const sums = { published: 0, wanted: 0, thrown: 0 };
  for (const { channel, acknowledged } of of) {
    sums.published += acknowledged;
    for (let n = 0; n < acknowledged; n++) {
      const order = orderOf(channel, n);
      if (isWanted?.(order) !== false) sums.wanted++;
      if (throws?.(order) === true) sums.thrown++;
    }
  }
  return sums;
}

export const publishedTo = ({ of }: Listener): number => of.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

/** Subscribed to every source, without the orders of `bulk`. */
const globKind: Kind = {
  name: 'all',
  mood: 'some',
  lines: 1,
  channels: [],
  settings: { ordered: true, timeout_ms: 1_000, retry_schedule: [0] },
  subscribed: { filter: { channel: [{ numeric: ['<', bulk] }] } },
  isWanted: ({ channel }: Order) => channel < bulk,
};

export async function createListeners(
  client: Client,
  receivers: Receivers,
  orders: readonly Orders[],
): Promise<Listener[]> {
  const all: Listener[] = [];
  for (const kind of kinds)
    for (const one of orders.filter(({ channel }) => kind.channels.includes(channel)))
      all.push(await createListener({ client, receivers }, kind, [one]));
  all.push(await createListener({ client, receivers }, globKind, orders, 'dc_*'));
  return all;
}

/** Creates a listener during the run, which gets everything from the beginning. */
export async function createLatecomer(context: ListenerContext, name: string, one: Orders): Promise<Listener> {
  const kind: Kind = {
    name,
    mood: 'some',
    lines: 1,
    isGapless: true,
    channels: [one.channel],
    settings: { ordered: true, retry_schedule: [0, 0, 1, 1, 1, 1], on_exhausted: 'block' },
    isSteady: true,
  };
  return createListener(context, kind, [one]);
}

interface ListenerContext {
  readonly client: Client;
  readonly receivers: Receivers;
}

async function createListener(
  { client, receivers }: ListenerContext,
  kind: Kind,
  of: readonly Orders[],
  emitterId = of[0]?.sourceId ?? '',
): Promise<Listener> {
  const name = of.length === 1 ? `${kind.name}/${of[0]?.channel}` : kind.name;
  const { url, received: taken } = receivers.add(`/${encodeURIComponent(name)}`, kind.mood, {
    lines: kind.lines,
    isGapless: kind.isGapless === true,
  });
  const webhook: Webhook & { readonly signing_key?: string } = await retryUntilAnswered(name, (idempotencyKey) =>
    client.createWebhook({ url, name, ...kind.settings }, { idempotencyKey }),
  );
  taken.signingKey = webhook.signing_key;
  const request: NewSubscriptionRequest = {
    emitter_id: emitterId,
    listener_id: webhook.id,
    start: 'earliest',
    ...kind.subscribed,
  };
  const { id: subscriptionId } = await retryUntilAnswered(name, (idempotencyKey) =>
    client.createSubscription(request, { idempotencyKey }),
  );
  const isGlob = emitterId === 'dc_*';
  return { name, kind, webhookId: webhook.id, subscriptionId, emitterId, received: taken, of, isGlob };
}

/** Repeats a request with the same key until it is answered, because the product can be away. */
async function retryUntilAnswered<T>(name: string, request: (key: string) => Promise<T>): Promise<T> {
  const triesMax = 60;
  for (let tries = 1; ; tries++)
    try {
      return await request(encodeURIComponent(name));
    } catch (error) {
      if (tries === triesMax) throw error;
      await pause(againMs);
    }
}
