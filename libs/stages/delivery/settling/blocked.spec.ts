import type { Alerts } from '../../loop/reporting/alerts.ts';
import type { Attempt } from '../records/attempt-records.ts';
import { Blocked } from './blocked.ts';

const subscription = { subscriptionId: 'sub_1', webhook: { blocks: true, retrySchedule: [] } };
const attempt = (replayId?: string): Attempt =>
  ({ cursor: { subscription, replayId }, number: 1, messageId: 'msg_1' }) as unknown as Attempt;

test('a replay of a blocking event leaves the alert, and the event itself ends it', () => {
  const told: string[] = [];
  const alerts = { raise: () => told.push('raised'), end: () => told.push('ended') } as unknown as Alerts;
  const blocked = new Blocked(alerts);
  blocked.begins(attempt());
  blocked.ends(attempt('rpl_1'));
  blocked.ends(attempt());
  expect(told).toEqual(['raised', 'ended']);
});
