import type { Page } from '../../../../log/log.ts';
import { Outcomes } from './outcomes.ts';
import type { OutcomeRecord } from './outcomes.ts';

const record = (offset: number, type: string, correlationId = 'c') =>
  ({
    id: `rec_${offset}`,
    type,
    version: 1,
    key: 'k',
    data: {},
    at: 1,
    workspace: 'o_1',
    correlationId,
    causationId: 'c',
    topic: 'listeners',
    partition: 0,
    offset,
  }) as OutcomeRecord;

function read(outcomes: Outcomes, ...records: OutcomeRecord[]): void {
  for (const each of records) outcomes.accept(each);
  const page: Page = { topic: 'listeners', partition: 0, records, next: (records.at(-1)?.offset ?? 0) + 1 };
  outcomes.pageRead(page);
}

test('returns an outcome with the offset of the last record appended with it', async () => {
  const outcomes = new Outcomes();
  const waiting = outcomes.wait('c', { endings: ['WebhookDeleted'] });
  const deleted = record(2, 'WebhookDeleted');
  read(outcomes, record(1, 'SubscriptionDeleted'), deleted, record(3, 'SubscriptionDeleted'), record(4, 'Other', 'd'));
  expect(await waiting.outcome).toEqual({ record: deleted, lastOffset: 3 });
});

test('reports whether a process has begun while its outcome is awaited', async () => {
  const outcomes = new Outcomes();
  const waiting = outcomes.wait('c', { endings: ['SourceDeployed'], beginning: 'SourceDeploying' });
  read(outcomes, record(1, 'SourceDeployed', 'other'));
  expect(waiting.hasBegun()).toBe(false);
  read(outcomes, record(2, 'SourceDeploying'));
  expect(waiting.hasBegun()).toBe(true);
  read(outcomes, record(3, 'SourceDeployed'));
  expect((await waiting.outcome)?.lastOffset).toBe(3);
});

test('a caller that leaves waits no longer, and is not told', async () => {
  const outcomes = new Outcomes();
  const waiting = outcomes.wait('c', { endings: ['WebhookDeleted'] });
  waiting.end();
  read(outcomes, record(1, 'WebhookDeleted'));
  expect(await waiting.outcome).toBeUndefined();
});

test('callers still waiting when the gateway stops get an error', async () => {
  const outcomes = new Outcomes();
  const { outcome } = outcomes.wait('c', { endings: [] });
  outcomes.close();
  await expect(outcome).rejects.toMatchObject({ name: 'PortError', code: 'closed' });
});
