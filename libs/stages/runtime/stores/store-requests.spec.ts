// Requests to data stores share appends with runs: neither floods of them nor large answers crowd out anything else.
import { storeBounds } from '../../../domain/store/bounds.ts';
import { Asks, store } from '../testing/asks.fake.ts';
import { until } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';
import { answersBytesMax } from './store-requests.ts';

let world: World;
let asks: Asks;
const { begin, life } = worldForEachTest((made) => {
  world = made;
  asks = new Asks(made);
});

test.each([
  ['at once', false],
  ['behind a write', true],
])('answers of reads %s are bounded between two appends, and all are given', async (_how, isBehindWrite) => {
  const given = new Map<number, number>();
  await begin();
  await asks.create();
  await asks.set('large', 'x'.repeat(storeBounds.valueBytes - 2));
  world.log.onReply('gw_1', (reply) => {
    const appends = life()?.outputs.length ?? 0;
    if (reply.type === 'DataStoreAnswered')
      given.set(appends, (given.get(appends) ?? 0) + (reply.answer?.$sealed.length ?? 0));
  });
  const asked: Promise<string>[] = [];
  if (isBehindWrite) asked.push(world.askStore({ op: 'set', store, key: 'small', value: 1 }));
  for (let n = 0; n < 40; n++) asked.push(world.askStore({ op: 'get', store, key: 'large' }));
  const ids = await Promise.all(asked);
  await until(() => ids.every((id) => asks.answers.has(id)), 'all answers');
  expect(Math.max(...given.values())).toBeLessThan(answersBytesMax + storeBounds.valueBytes * 1.5);
});
