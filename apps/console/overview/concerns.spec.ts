import type { SubscriptionDetail } from '../api/records.ts';
import { sortConcerns, deliveryConcerns, healthConcerns, subscriptionConcerns, webhookConcerns } from './concerns.ts';
import type { Concern } from './concerns.ts';

const concern = (what: string, tone: Concern['tone'], atMs?: number): Concern => ({
  title: what,
  reason: '',
  tone,
  href: undefined,
  atMs,
});

test('failures come before warnings, each kind with the latest first', () => {
  const concerns = sortConcerns([
    concern('a', 'warn', 9),
    concern('b', 'bad', 1),
    concern('c', 'bad', 2),
    concern('d', 'warn'),
  ]);
  expect(concerns.map(({ title: what }) => what)).toEqual(['c', 'b', 'a', 'd']);
});

test('an alert links to the page of its subject, if there is one', () => {
  const alert = { code: 'delivery_blocked', message: 'It waits.', since_ms: 5 };
  const alerts = [
    { ...alert, subject: 'sub_1' },
    { ...alert, subject: 'channels' },
  ];
  const concerns = healthConcerns({ status: 'ok', alerts });
  expect(concerns.map(({ href }) => href)).toEqual(['/subscriptions/sub_1', undefined]);
});

test('a subscription is a concern only while it has parked events or is blocked', () => {
  const counters = { published: 9, delivered: 6, parked: 2, filtered: 0, expired: 0, pending: 1 };
  const detail: SubscriptionDetail = {
    id: 'sub_1',
    emitter_id: 'dc_1',
    listener_id: 'wh_1',
    event_name: '',
    filter: null,
    transform: null,
    created_at: 1,
    state: 'blocked',
    counters,
    positions: [],
  };
  expect(subscriptionConcerns(detail, 'A → B').map(({ tone }) => tone)).toEqual(['warn', 'bad']);
  expect(subscriptionConcerns({ ...detail, state: 'active', counters: { ...counters, parked: 0 } }, 'A → B')).toEqual(
    [],
  );
});

test('parked events that are no longer kept are not a concern, because nobody can act on them', () => {
  const counters = { published: 9, delivered: 7, parked: 2, filtered: 0, expired: 0, pending: 0 };
  const detail = { id: 'sub_1', state: 'active', counters, positions: [] } as unknown as SubscriptionDetail;
  expect(subscriptionConcerns(detail, 'A → B', 0)).toEqual([]);
  expect(subscriptionConcerns(detail, 'A → B', 1)[0]).toMatchObject({ title: 'A → B: 1 parked' });
});

test('what is parked or failing in any subscription is a concern, counted', () => {
  expect(deliveryConcerns({ parked: 0, failing: 0 })).toEqual([]);
  expect(deliveryConcerns({ parked: 1, failing: 1_200 }).map(({ title: what, href }) => [what, href])).toEqual([
    ['1 event parked, of all subscriptions', '/parked'],
    ['1,200 events waiting for a retry, of all subscriptions', '/deliveries?state=failing'],
  ]);
});

test('a webhook is a concern when nothing is sent to it', () => {
  const webhook = { id: 'wh_1', name: 'Shop', active: false, disabled_reason: null, paused_at: 3 };
  expect(webhookConcerns(webhook as Parameters<typeof webhookConcerns>[0])[0]).toMatchObject({
    title: 'Shop is paused',
    atMs: 3_000,
  });
});
