// Events find their recipients while many subscriptions are created and deleted.
import type { MessageOn } from '../../../domain/messages-of.ts';
import { Registry } from './subscription-registry.ts';

const workspace = 'o_1';

type Definition = MessageOn<'webhooks' | 'subscriptions'>;

function record(type: Definition['type'], key: string, data: unknown): Definition {
  const envelope = { id: 'rec', version: 1, key, at: 1, workspace, correlationId: 'c', causationId: 'c' };
  return { ...envelope, type, data } as Definition;
}

const webhook = (webhookId: string): Definition =>
  record('WebhookDefined', webhookId, {
    webhookId,
    userId: 'u_1',
    url: 'https://receiver.example',
    name: null,
    description: null,
    ordered: true,
    retrySchedule: null,
    signingKey: { $sealed: 'x' },
    createdAt: 1,
    madeBy: null,
    disabled: false,
  });

const subscription = (id: string, to: { listenerId?: string; emitterId?: string; eventName?: string } = {}) => ({
  subscriptionId: id,
  emitterId: 'dc_a',
  listenerId: 'wh_a',
  eventName: null,
  createdAt: 1,
  madeBy: null,
  from: 0,
  ...to,
});

function registry(...subscriptions: ReturnType<typeof subscription>[]): Registry {
  const created = new Registry();
  for (const id of ['wh_a', 'wh_b']) created.apply(webhook(id));
  for (const data of subscriptions) created.apply(record('SubscriptionDefined', data.subscriptionId, data));
  return created;
}

const event = (emitterId: string, channel = '') => ({ workspace, emitterId, channel });
const idsOf = (subscriptions: Iterable<{ readonly subscriptionId: string }>): string[] =>
  Array.from(subscriptions, ({ subscriptionId }) => subscriptionId);

test('an event goes to subscriptions of its source and to those of every source in its workspace', () => {
  const created = registry(
    subscription('sub_1'),
    subscription('sub_2', { emitterId: 'dc_b' }),
    subscription('sub_3', { emitterId: 'dc_*' }),
    subscription('sub_4', { eventName: 'other' }),
  );
  expect(idsOf(created.matching(event('dc_a')))).toEqual(['sub_1', 'sub_3']);
  expect(idsOf(created.matching(event('dc_a', 'other')))).toEqual(['sub_1', 'sub_4', 'sub_3']);
  expect(created.matching({ ...event('dc_a'), workspace: 'o_2' })).toEqual([]);
});

test('subscriptions of a webhook are found by it until they end', () => {
  const created = registry(subscription('sub_1'), subscription('sub_2', { listenerId: 'wh_b' }), subscription('sub_3'));
  const stopped = created.apply(record('WebhookDefined', 'wh_a', undefined));
  if (stopped?.kind !== 'stopped') throw new Error('the webhook stood');
  expect(idsOf(created.subscriptionsOf(stopped.webhook))).toEqual(['sub_1', 'sub_3']);
  created.apply(record('SubscriptionDefined', 'sub_1', null));
  expect(idsOf(created.subscriptionsOf(stopped.webhook))).toEqual(['sub_3']);
});

test('each of many subscriptions of a source can end, and none is left', () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => `sub_${i}`);
  const created = registry(...ids.map((id) => subscription(id)));
  for (const subscriptionId of ids) {
    expect(created.apply(record('SubscriptionDefined', subscriptionId, undefined))).toMatchObject({ kind: 'closed' });
  }
  expect(created.matching(event('dc_a'))).toEqual([]);
  expect([...created.subscriptions]).toEqual([]);
});
