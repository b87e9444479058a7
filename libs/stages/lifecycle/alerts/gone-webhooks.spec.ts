import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { AlertSubject } from '../../../domain/alert/messages.ts';
import type { LifecycleDecided } from '../output-records.ts';
import { GoneWebhooks } from './gone-webhooks.ts';

const told: string[] = [];
const alerts = {
  hold: ({ code, subject }: AlertSubject) => {
    told.push(`holds ${code} ${subject}`);
    return { end: () => void told.push(`ends ${subject}`), release: () => void told.push(`releases ${subject}`) };
  },
};
const gone = { disabled: true };
const after = (...webhooks: readonly (readonly [string, object])[]): GoneWebhooks =>
  new GoneWebhooks({ webhooks: new Map(webhooks) as unknown as Listeners['webhooks'] }, alerts);
const disabled = { type: 'WebhookDisabled', data: { webhookId: 'wh_1', reason: 'gone' } };
const deleted = { type: 'WebhookDeleted', data: { webhookId: 'wh_1' } };
const updated = (changes: object): object => ({ type: 'WebhookUpdated', data: { webhookId: 'wh_1', ...changes } });
const tell = (webhooks: GoneWebhooks, ...decided: readonly object[]): readonly string[] => {
  told.length = 0;
  webhooks.take(decided as readonly LifecycleDecided[]);
  return [...told];
};

beforeEach(() => void (told.length = 0));

test('an answer of 410 that disables a webhook alerts the operator', () => {
  const refused = { type: 'WebhookDisableRefused', data: { webhookId: 'wh_1', reason: 'gone' } };
  expect(tell(after(), refused)).toEqual([]);
  expect(tell(after(), disabled)).toEqual(['holds webhook_gone wh_1']);
});

test('the alert ends once, when the webhook is active again or deleted', () => {
  expect(tell(after(['wh_1', gone]), updated({ active: true }), deleted)).toEqual(['ends wh_1']);
  expect(tell(after(['wh_1', gone]), deleted)).toEqual(['ends wh_1']);
});

test('the alert stays while the webhook is changed but not active, and no other change starts one', () => {
  expect(tell(after(['wh_1', gone]), updated({ name: 'Other' }))).toEqual([]);
  expect(tell(after(['wh_1', { disabled: true, pausedAt: 1 }]), updated({ active: true }))).toEqual([]);
  expect(tell(after(['wh_1', { disabled: false }]), deleted, updated({ active: true }))).toEqual([]);
});

test('webhooks disabled before a restart cause alerts, which close() leaves to the next process', () => {
  const webhooks = after(['wh_1', gone], ['wh_2', { disabled: true, pausedAt: 1 }], ['wh_3', { disabled: false }]);
  expect(told).toEqual(['holds webhook_gone wh_1']);
  expect(tell(webhooks, disabled)).toEqual([]);
  webhooks.close();
  expect(told).toEqual(['releases wh_1']);
});
