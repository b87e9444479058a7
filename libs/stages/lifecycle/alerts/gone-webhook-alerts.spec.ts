import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { AlertSubject } from '../../../domain/alert/messages.ts';
import type { LifecycleDecided } from '../output-records.ts';
import { GoneWebhookAlerts } from './gone-webhook-alerts.ts';

const calls: string[] = [];
const alerts = {
  hold: ({ code, subject }: AlertSubject) => {
    calls.push(`holds ${code} ${subject}`);
    return { end: () => void calls.push(`ends ${subject}`), release: () => void calls.push(`releases ${subject}`) };
  },
};
const disabledByReceiver = { disabled: true };
const alertsFor = (...webhooks: readonly (readonly [string, object])[]): GoneWebhookAlerts =>
  new GoneWebhookAlerts({ webhooks: new Map(webhooks) as unknown as Listeners['webhooks'] }, alerts);
const disabled = { type: 'WebhookDisabled', data: { webhookId: 'wh_1', reason: 'gone' } };
const deleted = { type: 'WebhookDeleted', data: { webhookId: 'wh_1' } };
const updated = (changes: object): object => ({ type: 'WebhookUpdated', data: { webhookId: 'wh_1', ...changes } });
const callsAfter = (webhooks: GoneWebhookAlerts, ...decided: readonly object[]): readonly string[] => {
  calls.length = 0;
  webhooks.apply(decided as readonly LifecycleDecided[]);
  return [...calls];
};

beforeEach(() => void (calls.length = 0));

test('an answer of 410 that disables a webhook alerts the operator', () => {
  const refused = { type: 'WebhookDisableRefused', data: { webhookId: 'wh_1', reason: 'gone' } };
  expect(callsAfter(alertsFor(), refused)).toEqual([]);
  expect(callsAfter(alertsFor(), disabled)).toEqual(['holds webhook_gone wh_1']);
});

test('the alert ends once, when the webhook is active again or deleted', () => {
  expect(callsAfter(alertsFor(['wh_1', disabledByReceiver]), updated({ active: true }), deleted)).toEqual([
    'ends wh_1',
  ]);
  expect(callsAfter(alertsFor(['wh_1', disabledByReceiver]), deleted)).toEqual(['ends wh_1']);
});

test('the alert stays while the webhook is changed but not active, and no other change starts one', () => {
  expect(callsAfter(alertsFor(['wh_1', disabledByReceiver]), updated({ name: 'Other' }))).toEqual([]);
  expect(callsAfter(alertsFor(['wh_1', { disabled: true, pausedAt: 1 }]), updated({ active: true }))).toEqual([]);
  expect(callsAfter(alertsFor(['wh_1', { disabled: false }]), deleted, updated({ active: true }))).toEqual([]);
});

test('webhooks disabled before a restart cause alerts, which close() leaves to the next process', () => {
  const webhooks = alertsFor(
    ['wh_1', disabledByReceiver],
    ['wh_2', { disabled: true, pausedAt: 1 }],
    ['wh_3', { disabled: false }],
  );
  expect(calls).toEqual(['holds webhook_gone wh_1']);
  expect(callsAfter(webhooks, disabled)).toEqual([]);
  webhooks.close();
  expect(calls).toEqual(['releases wh_1']);
});
