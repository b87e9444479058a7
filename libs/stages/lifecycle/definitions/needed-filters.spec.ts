// A filter or transform that events might still need is not dropped to make room for another.
import type { FilterVersion } from '../../../domain/delivery/filter/filter-history.ts';
import { messageOf } from '../../../domain/decider.fake.ts';
import { evolveListeners, noListeners } from '../../../domain/listener/listeners.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { ControlLog, sealed } from '../control-log.fake.ts';
import { refuseDroppingNeeded } from './needed-filters.ts';

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
const transform = (n: number): string => `/*${'x'.repeat(30_000)}${n}*/(e) => e`;

let control: ControlLog;

async function subscribed(partitions: number): Promise<void> {
  control = Object.assign(new ControlLog(), { log: new MemoryLog({ partitions }) });
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook);
  const triple = { emitterId: 'dc_*', listenerId: 'wh_1', eventName: null };
  await control.send('CreateSubscription', { ...triple, subscriptionId: 'sub_1', fingerprint: null });
  await control.settle();
}

/** Requests the n-th change, and returns its outcome. */
async function change(n: number, more: object = {}): Promise<object | undefined> {
  const data = { subscriptionId: 'sub_1', transform: transform(n), ...more };
  await control.send('UpdateSubscription', data);
  await control.settle();
  return control.log.records('listeners').at(-1);
}

const storedVersions = (): readonly number[] => {
  const defined = control.log.records('subscriptions').findLast(({ type }) => type === 'FilterDefined');
  const data = defined?.data as { filters: readonly FilterVersion[] } | undefined;
  return (data?.filters ?? []).map(({ version = 0 }) => version);
};

/** Makes changes until there is no room; returns the number of the refused change. */
async function changeUntilRefused(): Promise<number> {
  for (let n = 1; ; n++) {
    const outcome = await change(n);
    if ((outcome as { type: string }).type !== 'SubscriptionUpdated') {
      expect(outcome).toMatchObject({
        type: 'SubscriptionUpdateRefused',
        version: 10,
        data: { reason: 'filters_needed', message: expect.stringContaining('Wait until they are delivered') },
      });
      return n;
    }
  }
}

test.each([2, 32])(
  'in %i partitions, a change is refused when storing it would drop one that events might need',
  async (partitions) => {
    await subscribed(partitions);
    const refused = await changeUntilRefused();
    const all = Array.from({ length: refused }, (_, version) => version);
    expect(storedVersions()).toEqual(all);
    expect(await change(refused, { neededFrom: 0 })).toMatchObject({ type: 'SubscriptionUpdateRefused' });
    expect(await change(refused, { neededFrom: 2 })).toMatchObject({ type: 'SubscriptionUpdated' });
    expect(storedVersions().at(-1)).toBe(refused);
    expect(storedVersions()).toContain(2);
    expect(control.log.records('listeners').at(-1)?.data).not.toHaveProperty('neededFrom');
  },
);

test('a change to the current text needs no room', async () => {
  await subscribed(2);
  const refused = await changeUntilRefused();
  expect(await change(refused - 1)).toMatchObject({ type: 'SubscriptionUpdated' });
});

test('filters of an earlier version make room once events are past them in each partition', () => {
  const data = { subscriptionId: 'sub_1', emitterId: 'dc_*', listenerId: 'wh_1', eventName: null, fingerprint: null };
  const listeners = noListeners();
  evolveListeners(
    listeners,
    messageOf('SubscriptionCreated', { ...data, channelEnds: [0, 0], transform: transform(0) }),
  );
  for (let n = 1; n < 10; n++) {
    const more = { channelEnds: [n * 10, n * 100], transform: transform(n) };
    evolveListeners(listeners, messageOf('SubscriptionUpdated', { subscriptionId: 'sub_1', ...more }));
  }
  const change = { subscriptionId: 'sub_1', transform: transform(10) };
  const outcome = (first: number, second: number): string => {
    const neededAt = [first, second].map((offset, partition) => ({ partition, offset }));
    const command = messageOf('UpdateSubscription', { ...change, neededFrom: 0, neededAt });
    const input = { ...command, topic: 'commands', partition: 0, offset: 0 } as const;
    return refuseDroppingNeeded({ type: 'SubscriptionUpdated', data: change }, input, listeners, 2).type;
  };
  expect(outcome(1_000, 1_000)).toBe('SubscriptionUpdated');
  expect(outcome(1_000, 5)).toBe('SubscriptionUpdateRefused');
  expect(outcome(5, 1_000)).toBe('SubscriptionUpdateRefused');
});
