import type { StoredRecord } from '../../../domain/message.ts';
import type { Page } from '../../../log/log.ts';
import { until } from '../../../../test/support/until.ts';
import type { SubscriptionTarget } from '../listeners/target.ts';
import { defaultLimits } from '../limits.ts';
import { EventBuffer } from './buffer.ts';
import { CatchUp } from './catch-up.ts';
import { EmitterCursor } from './emitter-cursor.ts';
import { Readers } from './readers.ts';

const webhook = {
  webhookId: 'wh_1',
  workspace: 'o_1',
  url: 'https://receiver.example/',
  ordered: true,
  retrySchedule: null,
  sealedKey: { $sealed: '' },
  keys: undefined,
  stopped: false,
};
const subscription: SubscriptionTarget = {
  subscriptionId: 'sub_1',
  workspace: 'o_1',
  emitterId: 'dc_1',
  listenerId: 'wh_1',
  eventName: null,
  closed: false,
  webhook,
};

const event = (offset: number): StoredRecord => ({
  id: `rec_${offset}`,
  type: 'EventEmitted',
  version: 1,
  key: 'dc_1',
  data: { emitterId: 'dc_1', eventId: `1-${offset}`, channel: '', event: {}, emit: {}, runId: 'run_1' },
  at: 1,
  workspace: 'o_1',
  correlationId: 'req_1',
  causationId: 'req_1',
  topic: 'channels',
  partition: 0,
  offset,
});

const pageOf = (next: number, ...records: StoredRecord[]): Page => ({ topic: 'channels', partition: 0, records, next });

test('an event that comes while the end of the log is being read is not passed over', async () => {
  const buffer = new EventBuffer();
  const position = { next: 3, open: [], sequence: 0 };
  const cursor = new EmitterCursor(subscription, 'dc_1', { position, behindFrom: 3, buffer });
  const gate = Promise.withResolvers<Page>();
  const pages: (Page | Promise<Page>)[] = [gate.promise, pageOf(7, event(6))];
  let tailAt = 5;
  const failures: Error[] = [];
  const catchUp = new CatchUp({
    log: { read: async () => (await pages.shift()) ?? pageOf(7) },
    partition: 0,
    readers: new Readers(1),
    buffer,
    limits: defaultLimits,
    tailAt: () => tailAt,
    fed: () => {},
    fail: (error) => failures.push(error),
  });
  catchUp.want(cursor);
  await until('the read to begin', () => pages.length === 1);
  expect(cursor.takesFromTail(6)).toBe(false);
  tailAt = 7;
  gate.resolve(pageOf(5));
  await until('the cursor to join the tail', () => cursor.readFrom === null);
  expect([cursor.queued, cursor.upNext?.offset, failures]).toEqual([1, 6, []]);
});
