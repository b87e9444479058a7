// The effects of an update of a webhook.
import { foldEvents, messageOf } from '../../decider.fake.ts';
import type { Envelope } from '../../decider.fake.ts';
import { decideListener } from '../decide.ts';
import { evolveListeners, noListeners, restoreWebhook, webhookDefinition } from '../listeners.ts';
import type { Listeners } from '../listeners.ts';
import type { ListenerCommand, ListenerEvent, WebhookChanges } from '../messages.ts';
import type { WebhookDefinition } from '../definition/messages.ts';
import { versionOf } from '../../record/record-version.ts';

const webhookId = 'wh_1';
const created = messageOf('WebhookCreated', {
  webhookId,
  userId: 'u_1',
  fingerprint: null,
  url: 'https://example.com/in',
  name: 'n',
  description: null,
  ordered: true,
  retrySchedule: [1, 2],
  signingKey: { $sealed: 'AAAA' },
});
const updated = (changes: WebhookChanges, envelope: Envelope = {}): ListenerEvent =>
  messageOf('WebhookUpdated', { webhookId, ...changes }, envelope);
const disabled = messageOf('WebhookDisabled', { webhookId, reason: 'gone' } as const);

const given = (...events: ListenerEvent[]): Listeners =>
  foldEvents(noListeners(), evolveListeners, [created, ...events]);
const when = (state: Listeners, command: ListenerCommand) =>
  decideListener(state, command, { at: 0, sourceExists: () => true, isOwner: () => true, channelEnds: [] });
const defined = (...events: ListenerEvent[]) => webhookDefinition(given(...events), webhookId)?.data;
const update = (changes: WebhookChanges, envelope: Envelope = {}): ListenerCommand =>
  messageOf('UpdateWebhook', { webhookId, ...changes }, envelope);
const disable = (generation?: number): ListenerCommand =>
  messageOf('DisableWebhook', {
    webhookId,
    reason: 'gone' as const,
    ...(generation === undefined ? {} : { generation }),
  });

test('an update is recorded as requested', () => {
  expect(when(given(), update({ url: 'https://example.com/new', timeoutMs: null }))).toEqual([
    { type: 'WebhookUpdated', data: { webhookId, url: 'https://example.com/new', timeoutMs: null } },
  ]);
});

test('an unknown webhook, or one of another workspace, cannot be changed', () => {
  const refused = { type: 'WebhookUpdateRefused', data: { webhookId, reason: 'webhook_not_found' } };
  expect(when(noListeners(), update({}))).toMatchObject([refused]);
  expect(when(given(), update({}, { workspace: 'o_other' }))).toMatchObject([refused]);
});

test('settings not named stay, and null restores the default', () => {
  expect(defined(updated({ name: null, timeoutMs: 2_000 }))).toMatchObject({
    url: 'https://example.com/in',
    name: null,
    ordered: true,
    retrySchedule: [1, 2],
    timeoutMs: 2_000,
    disabled: false,
  });
  const back = defined(updated({ timeoutMs: 2_000 }), updated({ timeoutMs: null, retrySchedule: null }));
  expect(back).toMatchObject({ name: 'n', retrySchedule: null });
  expect(back).not.toHaveProperty('timeoutMs');
  expect(back).not.toHaveProperty('generation');
});

test('only a new URL, a pause or a resume starts a new generation of the webhook', () => {
  const generations = [
    defined(updated({ name: 'other', ordered: false, active: true })),
    defined(updated({ url: 'https://example.com/in' })),
    defined(updated({ url: 'https://example.com/new' })),
    defined(updated({ active: false })),
    defined(updated({ active: false }), updated({ active: true, url: 'https://example.com/new' })),
  ].map((data) => data?.generation);
  expect(generations).toEqual([undefined, undefined, 1, 1, 2]);
});

test('a paused webhook says since when, and another pause changes nothing', () => {
  const first = updated({ active: false }, { at: 7 });
  expect(defined(first, updated({ active: false }, { at: 9 }))).toMatchObject({ disabled: true, pausedAt: 7 });
  expect(defined(first, updated({ active: true }))).not.toHaveProperty('pausedAt');
});

test('a disabled webhook is not paused as well, and can be made active again', () => {
  expect(defined(disabled, updated({ active: false }))).not.toHaveProperty('pausedAt');
  expect(defined(disabled, updated({ active: true }))).toMatchObject({ disabled: false, generation: 1 });
});

test.each([
  ['with another url', [updated({ url: 'https://example.com/new' })]],
  ['paused', [updated({ active: false })]],
  ['made active again', [disabled, updated({ active: true })]],
])('an answer of 410 to an attempt before it was %s disables nothing', (_name, events) => {
  expect(when(given(...events), disable(0))).toMatchObject([
    { type: 'WebhookDisableRefused', data: { reason: 'webhook_changed' } },
  ]);
});

test('an answer of 410 disables the webhook that it was given for, whatever else has changed', () => {
  expect(when(given(updated({ name: 'other' })), disable())[0]?.type).toBe('WebhookDisabled');
  expect(when(given(updated({ url: 'https://example.com/new' })), disable(1))[0]?.type).toBe('WebhookDisabled');
});

test('a paused webhook can be subscribed to, a disabled one cannot', () => {
  const data = {
    emitterId: 'dc_1',
    listenerId: webhookId,
    eventName: null,
    subscriptionId: 'sub_1',
    fingerprint: null,
  };
  const subscribe = messageOf('CreateSubscription', data);
  expect(when(given(updated({ active: false })), subscribe)[0]?.type).toBe('SubscriptionCreated');
  expect(when(given(disabled), subscribe)[0]?.type).toBe('SubscriptionCreateRefused');
});

test('a definition restores the webhook that it was made of', () => {
  const state = given(updated({ url: 'https://example.com/new', timeoutMs: 1_000, active: false }, { at: 5 }));
  const definition = webhookDefinition(state, webhookId) as WebhookDefinition;
  const restored = noListeners();
  restoreWebhook(restored, { ...created, ...definition });
  expect(webhookDefinition(restored, webhookId)).toEqual(definition);
});

test('changes have a version that older programs wait at; anything older programs know keeps its version', () => {
  const versionAfter = (...events: ListenerEvent[]): number =>
    versionOf({ type: 'WebhookDefined', data: defined(...events) });
  expect([versionAfter(), versionAfter(disabled), versionAfter(updated({ name: 'other' }))]).toEqual([1, 1, 1]);
  expect([versionAfter(updated({ timeoutMs: 1_000 })), versionAfter(updated({ active: false }))]).toEqual([5, 5]);
  expect([versionOf(created), versionOf(disabled), versionOf(updated({}))]).toEqual([1, 1, 5]);
});

test('headers are replaced as a whole, and null keeps the present value of a header', () => {
  const sealed = (name: string) => ({ $sealed: name });
  const first = updated({
    headers: [
      { name: 'a', value: sealed('1') },
      { name: 'b', value: sealed('2') },
    ],
  });
  expect(defined(first)?.headers).toHaveLength(2);
  const next = updated({
    headers: [
      { name: 'b', value: null },
      { name: 'c', value: sealed('3') },
      { name: 'd', value: null },
    ],
  });
  expect(defined(first, next)?.headers).toEqual([
    { name: 'b', value: sealed('2') },
    { name: 'c', value: sealed('3') },
  ]);
  expect(defined(first, updated({ headers: [] }))).not.toHaveProperty('headers');
});

test('settings reset to their defaults are no longer recorded', () => {
  const unusual = { onExhausted: 'block', maxInFlight: 3, rateLimit: 7, timeoutMs: 1_000 } as const;
  expect(defined(updated(unusual))).toMatchObject(unusual);
  const usual = updated({ onExhausted: null, maxInFlight: null, rateLimit: null, timeoutMs: null });
  for (const name of Object.keys(unusual)) expect(defined(updated(unusual), usual)).not.toHaveProperty(name);
});
