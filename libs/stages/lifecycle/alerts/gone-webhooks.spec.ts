import { evolveAlerts, noAlerts } from '../../../domain/alert/alerts.ts';
import { messageOf } from '../../../domain/decider.fake.ts';
import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { LifecycleDecided } from '../output-records.ts';
import { raiseAgain, tellOfGone } from './gone-webhooks.ts';

const told: string[] = [];
const alerts = {
  raise: (code: string, subject: string) => void told.push(`raised ${code} ${subject}`),
  end: (code: string, subject: string) => void told.push(`ended ${code} ${subject}`),
};
const tell = (decided: object, webhook?: object): readonly string[] => {
  told.length = 0;
  const webhooks = new Map(webhook === undefined ? [] : [['wh_1', webhook]]) as unknown as Listeners['webhooks'];
  tellOfGone([decided as LifecycleDecided], { webhooks }, alerts);
  return [...told];
};
const updated = (changes: object): object => ({ type: 'WebhookUpdated', data: { webhookId: 'wh_1', ...changes } });
const deleted = { type: 'WebhookDeleted', data: { webhookId: 'wh_1' } };
const gone = { disabled: true };

test('an answer of 410 that disables a webhook raises an alert about it', () => {
  const data = { webhookId: 'wh_1', reason: 'gone' };
  expect(tell({ type: 'WebhookDisabled', data }, { disabled: false })).toEqual(['raised webhook_gone wh_1']);
  expect(tell({ type: 'WebhookDisableRefused', data }, gone)).toEqual([]);
});

test('the alert ends when the webhook is active again or deleted', () => {
  expect(tell(updated({ active: true }), gone)).toEqual(['ended webhook_gone wh_1']);
  expect(tell(deleted, gone)).toEqual(['ended webhook_gone wh_1']);
});

test('the alert stays while the webhook is changed but not active, and no other change tells of it', () => {
  expect(tell(updated({ name: 'Other' }), gone)).toEqual([]);
  expect(tell(updated({ active: true }), { disabled: true, pausedAt: 1 })).toEqual([]);
  expect(tell(deleted, { disabled: false })).toEqual([]);
  expect(tell(updated({ active: true }))).toEqual([]);
});

test('an alert about a webhook that is still gone is raised again, so that it does not run out, and no other is', () => {
  const known = noAlerts();
  for (const subject of ['wh_1', 'wh_2', 'wh_3'])
    evolveAlerts(known, messageOf('AlertRaised', { code: 'webhook_gone', subject, message: 'm' }));
  evolveAlerts(known, messageOf('AlertRaised', { code: 'webhook_failing', subject: 'wh_1', message: 'm' }));
  const webhooks = new Map<string, object>([
    ['wh_1', gone],
    ['wh_2', { disabled: true, pausedAt: 1 }],
    ['wh_4', gone],
  ]) as unknown as Listeners['webhooks'];
  told.length = 0;
  raiseAgain({ listeners: { webhooks }, alerts: known }, alerts);
  expect(told).toEqual(['raised webhook_gone wh_1']);
});
