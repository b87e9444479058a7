import type { Reply } from '../../../log/index.ts';
import { Life, until } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, finished } = worldForEachTest((made) => (world = made));
const limits = { takenReportMs: 20 };

const pausing = (): { readonly run: () => Promise<void>; readonly end: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: () => resolve() };
};

function repliesTo(gateway: string): Reply[] {
  const replies: Reply[] = [];
  world.log.onReply(gateway, (reply) => replies.push(reply));
  return replies;
}

const reportedIds = (replies: readonly Reply[]): readonly string[] =>
  replies.flatMap((reply) => (reply.type === 'TriggersTaken' ? reply.correlationIds : []));

const requestedIds = (): readonly string[] => world.log.records('triggers').map(({ correlationId }) => correlationId);

test('each gateway learns which of its triggers were taken: those that run, and those that wait after them', async () => {
  const { run, end } = pausing();
  await world.deploy('dc_a', { run });
  const [one, two] = [repliesTo('gw_1'), repliesTo('gw_2')];
  await begin({ limits });
  for (const replyTo of ['gw_1', 'gw_2', 'gw_1']) await world.trigger('dc_a', { replyTo });
  await world.trigger('dc_a');
  await until(() => reportedIds(one).length + reportedIds(two).length === 3, 'all are told');
  const ids = requestedIds();
  expect([reportedIds(one), reportedIds(two)]).toEqual([[ids[0], ids[2]], [ids[1]]]);
  end();
  await finished(4);
});

test('only the end is reported of a trigger that ends soon', async () => {
  await world.deploy('dc_a', { run: () => {} });
  const replies = repliesTo('gw_1');
  await begin({ limits: { takenReportMs: 1_000 } });
  for (let n = 0; n < 3; n++) await world.trigger('dc_a', { replyTo: 'gw_1' });
  await finished(3);
  const { run, end } = pausing();
  await world.deploy('dc_b', { run });
  await world.trigger('dc_b', { replyTo: 'gw_1' });
  await until(() => reportedIds(replies).length > 0, 'the longer one is told');
  expect(reportedIds(replies)).toEqual(requestedIds().slice(3));
  end();
  await finished(4);
});

test('the next owner reports triggers again, but not those requested long ago', async () => {
  const { run, end } = pausing();
  await world.deploy('dc_a', { run });
  const first = await Life.begin(world, { limits: { takenReportMs: 60_000 } });
  const now = world.ambient.now();
  await world.trigger('dc_a', { replyTo: 'gw_1', at: now });
  world.advanceClock(11 * 60_000);
  await world.trigger('dc_a', { replyTo: 'gw_1', at: now + 11 * 60_000 });
  first.kill();
  const replies = repliesTo('gw_1');
  await begin({ limits });
  await until(() => reportedIds(replies).length > 0, 'it is told again');
  expect(reportedIds(replies)).toEqual(requestedIds().slice(1));
  end();
  await finished(2);
});

test('a trigger that has run is reported as taken while its end is not on the log', async () => {
  let hasRun = false;
  await world.deploy('dc_a', { run: () => void (hasRun = true) });
  const replies = repliesTo('gw_1');
  await begin({ limits });
  const release = world.log.holdAppends();
  await world.trigger('dc_a', { replyTo: 'gw_1' });
  await until(() => reportedIds(replies).length === 1, 'it is told');
  expect([hasRun, reportedIds(replies)]).toEqual([true, requestedIds()]);
  release();
  await finished(1);
});
