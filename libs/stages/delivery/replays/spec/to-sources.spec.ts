// Replays to sources that listen: each event runs the source once more, even across kills.
import type { Trigger } from '../../../../domain/source/messages.ts';
import { until } from '../../../../../test/support/until.ts';
import { upTo } from '../../delivery.world.fake.ts';
import { ReplayWorld } from './replay-world.fake.ts';

const live = 'sub_2/dc_a';

let world: ReplayWorld;
beforeEach(async () => {
  world = await ReplayWorld.with();
  await world.subscribe('sub_2', { listenerId: 'dc_b', channelEnd: 0 });
  await world.start();
});
afterEach(async () => {
  await world.end();
  expect(world.fatal).toEqual([]);
});

const triggers = (): readonly Trigger[] =>
  world.log.records('triggers').filter(({ key }) => key === 'dc_b') as readonly Trigger[];
const numbers = (): number[] => triggers().map(({ data }) => (data.event as { readonly n: number }).n);
const requestReplay = (replayId: string, over: object = {}): Promise<void> =>
  world.requestReplay(replayId, { subscriptionId: 'sub_2', ...over });

test('each event of the range makes another run, in order and marked in its delivery, and the live cursor does not move', async () => {
  await world.emit(upTo(5));
  await until('all live', () => world.finished(live) === 5);
  await requestReplay('rpl_1', { from: { by: 'sequence', value: 2 }, to: { by: 'sequence', value: 4 } });
  await world.whenDone('rpl_1');
  expect(numbers()).toEqual([...upTo(5), 2, 3, 4]);
  expect(new Set(triggers().map(({ id }) => id)).size).toBe(8);
  expect(world.replay('rpl_1')).toMatchObject({ total: 3, open: [], counters: { delivered: 3 } });
  const marks = world.deliveries('sub_2').map(({ data }) => (data as { replayId?: string }).replayId);
  expect(marks).toEqual([...upTo(5).map(() => undefined), 'rpl_1', 'rpl_1', 'rpl_1']);
  expect(world.cursor(live)?.data['counters']).toMatchObject({ published: 5, delivered: 5 });
  await world.emit([6]);
  await until('the next one', () => world.finished(live) === 6);
});

test('a replay requests each run once, even when killed and restarted repeatedly', async () => {
  const count = 400;
  await world.emit(upTo(count));
  await until('all live', () => world.finished(live) === count);
  await requestReplay('rpl_1', { rate: 1_000 });
  for (let kills = 0; kills < 5; kills++) {
    const before = triggers().length;
    await until('some progress', () => triggers().length > before || triggers().length === 2 * count);
    await world.stop(0);
    await world.start();
  }
  await world.whenDone('rpl_1');
  expect(numbers()).toEqual([...upTo(count), ...upTo(count)]);
});

test('a replay of failed or parked events is empty when nothing has failed or is parked', async () => {
  await world.emit(upTo(3));
  await until('all live', () => world.finished(live) === 3);
  for (const only of ['failed', 'parked']) await requestReplay(`rpl_${only}`, { only });
  for (const only of ['failed', 'parked']) await world.whenDone(`rpl_${only}`);
  expect(world.replay('rpl_failed')).toMatchObject({ total: 0, counters: { delivered: 0 } });
  expect(numbers()).toEqual(upTo(3));
});
