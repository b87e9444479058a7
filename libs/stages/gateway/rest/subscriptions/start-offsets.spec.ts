// Subscriptions that begin at a time: its offset is found before the command is sent, so that no other command waits.
import { until } from '../../../../../test/support/until.ts';
import { TestBed } from '../../test-bed.fake.ts';

let bed: TestBed;
let listener_id: string;
/** Searches for a time wait until this resolves. */
let searchGate: Promise<void> | undefined;
let searches: number;

beforeAll(async () => {
  bed = await TestBed.start();
  const read = bed.log.read.bind(bed.log);
  bed.log.read = async (topic, partition, from, bounds) => {
    if (topic === 'channels' && bounds.recordsMax === 1) {
      searches++;
      await searchGate;
    }
    return read(topic, partition, from, bounds);
  };
  const webhook = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  listener_id = (webhook.body.data as { id: string }).id;
  const source = await bed.call('POST', '/v1/sources', { body: { kind: 'channel', name: 'Orders' } });
  const { id } = source.body.data as { id: string };
  for (let n = 0; n < 3; n++) {
    const before = Date.now();
    await bed.call('POST', `/v1/sources/${id}/events`, { body: { id: `e${n}`, event: { n } } });
    await until('a later time', () => Date.now() > before);
  }
  await until('the events', () => bed.log.records('channels').length >= 3);
});
beforeEach(() => {
  searchGate = undefined;
  searches = 0;
});
afterAll(() => bed?.stop());

const subscribe = (time: number, event_name: string) =>
  bed.call('POST', '/v1/subscriptions', { body: { emitter_id: 'dc_*', listener_id, event_name, start: { time } } });
const newest = (type: string) => bed.log.records('listeners').findLast((one) => one.type === type)?.data;

test('no other request waits while the beginning of a subscription is searched for', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  searchGate = promise;
  const subscribed = subscribe(1, 'a');
  await until('the search', () => searches > 0);
  const other = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/other' } });
  expect(other.status).toBe(200);
  expect(newest('SubscriptionCreated')).toBeUndefined();
  resolve();
  expect((await subscribed).status).toBe(200);
});

test('the subscription begins with the first event of that time, in every partition', async () => {
  expect((await subscribe(Date.now(), 'late')).status).toBe(200);
  const ends = await Promise.all([0, 1].map((partition) => bed.log.end('channels', partition)));
  expect(newest('SubscriptionCreated')).toMatchObject({ channelEnds: ends });
  const time = bed.log.records('channels').at(-1)?.at ?? 0;
  expect((await subscribe(time, 'last')).status).toBe(200);
  const { channelEnds } = newest('SubscriptionCreated') as { channelEnds: number[] };
  for (const { at, partition, offset } of bed.log.records('channels'))
    expect([at, offset >= (channelEnds[partition] ?? 0)]).toEqual([at, at >= time]);
});
