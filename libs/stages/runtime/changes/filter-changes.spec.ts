// A change of a subscription's filter gets its place between the events, in order, whatever runs.
import type { ChannelEvent, FilterChangeRequest } from '../../../domain/channel/messages.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { Reply } from '../../../log/index.ts';
import { until } from '../testing/life.fake.ts';
import { workspace, type World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, life } = worldForEachTest((made) => (world = made));

/** The records on `channels`: the number of each change, and `event` for each event. */
const channelOrder = (): readonly (number | 'event')[] =>
  (world.log.records('channels') as readonly ChannelEvent[]).map((one) =>
    one.type === 'FilterChanged' ? one.data.version : 'event',
  );

async function change(version: number): Promise<string> {
  const type = 'FilterChangeRequested';
  const data: FilterChangeRequest['data'] = { subscriptionId: 'sub_1', version };
  const id = `rec_${version}`;
  const envelope = { id, type, version: versionOf({ type, data }), key: 'sub_1', at: 1, workspace } as const;
  const record = { ...envelope, data, correlationId: id, causationId: id };
  await world.log.request({ topic: 'triggers', partition: 0, record });
  return id;
}

test('a change waits for no run, is before the events of later triggers, and is told of once it is on the log', async () => {
  const gate = Promise.withResolvers<void>();
  const replies: (readonly [Reply, number])[] = [];
  world.log.onReply('gw_1', (reply) => replies.push([reply, channelOrder().length]));
  await world.deploy('dc_slow', { run: () => gate.promise });
  await world.deploy('dc_a', { run: ({ emit }) => emit({ event: 1 }) });
  await begin();
  await world.trigger('dc_slow');
  const ids = [await change(1), await change(2)];
  await until(() => channelOrder().length === 2, 'both changes');
  await world.trigger('dc_a');
  await until(() => channelOrder().length === 3, 'the event');
  gate.resolve();
  expect(channelOrder()).toEqual([1, 2, 'event']);
  expect(replies).toEqual(
    ids.map((correlationId) => [{ type: 'FilterTaken', correlationId, partition: 0 }, expect.any(Number)]),
  );
  expect(replies.every(([, count], i) => count > i)).toBe(true);
});

test.each(['taken', 'appended'] as const)(
  'a change that was just %s at a kill, after an unfinished trigger, is on the log, at most once more',
  async (at) => {
    const gate = Promise.withResolvers<void>();
    await world.deploy('dc_slow', { run: () => gate.promise });
    await world.trigger('dc_slow');
    await change(1);
    const killed = await begin({ killAt: (step) => step === at });
    await until(() => killed.killed, 'the kill');
    await killed.stop(0);
    await begin();
    await change(2);
    await until(() => channelOrder().includes(2), 'the later change');
    expect(channelOrder()).toEqual(at === 'taken' ? [1, 2] : [1, 1, 2]);
    gate.resolve();
    await until(() => world.log.records('runs').length === 1, 'the slow run');
    await life()?.stop(0);
    await begin();
    await change(3);
    await until(() => channelOrder().includes(3), 'a change after a calm start');
    expect(channelOrder().filter((one) => one === 2)).toHaveLength(1);
  },
);
