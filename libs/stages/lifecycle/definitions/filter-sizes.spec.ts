// However large the filters of a subscription to every source are, an append can hold them for all partitions.
import { partitionCount } from '../../../domain/flow.ts';
import { noListeners } from '../../../domain/listener/listeners.ts';
import { sizes } from '../../../domain/sizes.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { ControlLog, sealed } from '../control-log.fake.ts';
import { refuseTooLarge } from './filter-sizes.ts';

const webhook = {
  webhookId: 'wh_1',
  userId: 'u_1',
  signingKey: sealed('whsec_x'),
  url: 'https://example.com',
  name: null,
  description: null,
  ordered: true,
  retrySchedule: null,
  fingerprint: null,
};
const subscription = (more: object) => ({
  subscriptionId: 'sub_1',
  emitterId: 'dc_*',
  listenerId: 'wh_1',
  eventName: null,
  fingerprint: null,
  ...more,
});
/** A control character takes six bytes in JSON. */
const transform = (n: number): string => `/*${'\u0001'.repeat(10_000)}${n}*/(e) => e`;

async function controlOn(partitions: number): Promise<ControlLog> {
  const control = Object.assign(new ControlLog(), { log: new MemoryLog({ partitions }) });
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook);
  return control;
}

const last = (control: ControlLog) => control.log.records('listeners').at(-1);

test('a transform that changes again and again is kept in all partitions, as many changes of it as fit', async () => {
  const control = await controlOn(32);
  await control.send('CreateSubscription', subscription({}));
  for (let n = 0; n < 8; n++)
    await control.send('UpdateSubscription', { subscriptionId: 'sub_1', transform: transform(n), neededFrom: n });
  await control.settle();
  expect(last(control)?.type).toBe('SubscriptionUpdated');
  const filters = control.log.records('subscriptions').filter(({ type }) => type === 'FilterDefined');
  expect(filters).toHaveLength(partitionCount('subscriptions', 32));
  expect(Buffer.byteLength(JSON.stringify(filters))).toBeLessThan(sizes.appendBytes * 0.75);
  expect(JSON.stringify(filters[31]?.data)).toContain(JSON.stringify(transform(7)).slice(1, -1));
});

test('a transform that an append cannot hold for all partitions is refused, and accepted for one source', async () => {
  const control = await controlOn(400);
  await control.send('CreateSubscription', subscription({ transform: transform(0) }));
  await control.settle();
  expect(last(control)).toMatchObject({
    type: 'SubscriptionCreateRefused',
    data: { reason: 'malformed', message: expect.stringMatching(/at most 5242 bytes are taken: make them shorter/) },
  });
  await control.send('CreateSubscription', subscription({}));
  await control.send('UpdateSubscription', { subscriptionId: 'sub_1', transform: transform(0) });
  await control.settle();
  expect(last(control)?.type).toBe('SubscriptionUpdateRefused');
  const data = { ...subscription({ transform: transform(0) }), emitterId: 'dc_1', channelEnds: [] };
  const ofOne = { type: 'SubscriptionCreated', data } as const;
  expect(refuseTooLarge(ofOne, noListeners(), 400)).toBe(ofOne);
});

test('when hundreds of subscriptions to every source end, each append has some hundred records', async () => {
  const control = await controlOn(40);
  for (let n = 0; n < 100; n++)
    await control.send('CreateSubscription', subscription({ subscriptionId: `sub_${n}`, eventName: `e${n}` }));
  await control.settle();
  const before = control.appends;
  await control.send('DeleteWebhook', { webhookId: 'wh_1' });
  await control.settle();
  const remaining = control.log
    .records('subscriptions')
    .filter(({ data, key }) => data !== undefined && key !== 'folded');
  expect([remaining, control.appends - before > 10]).toEqual([[], true]);
});
