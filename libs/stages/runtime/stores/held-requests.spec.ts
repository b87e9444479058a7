// A request to a data store that is read before its sealing key waits for the key, and so do all requests after it.
import { jest } from '@jest/globals';
import { PortError } from '../../../domain/port-error.ts';
import { StoreGateway, store } from '../testing/store-gateway.fake.ts';
import { until } from '../testing/life.fake.ts';
import { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
let gateway: StoreGateway;
const { begin, life, enter } = worldForEachTest((made) => {
  world = made;
  gateway = new StoreGateway(made);
});

/** Begins with a tail that reads nothing of `keys`. */
async function beginWithoutKeys(): Promise<void> {
  enter(new World());
  const tail = world.log.tail.bind(world.log);
  jest.spyOn(world.log, 'tail').mockImplementation((from, bounds) =>
    tail(
      from.filter(({ topic }) => topic !== 'keys'),
      bounds,
    ),
  );
  await begin();
}

test('requests wait for a key that is on the log but was not read yet, and then run in order', async () => {
  await beginWithoutKeys();
  await world.addKey();
  await gateway.create();
  await gateway.set('a', 1);
  expect(await gateway.ask({ op: 'get', store, key: 'a' })).toMatchObject({ record: { value: 1 } });
  expect(Math.max(...(life()?.outputs.map(({ records }) => records.length) ?? []))).toBe(2);
});

test('requests wait while the log does not answer, and so do those after them', async () => {
  await beginWithoutKeys();
  await world.addKey();
  const end = jest.spyOn(world.log, 'settledEnd').mockRejectedValueOnce(new PortError('unavailable', 'away'));
  const ids = [
    await world.askStore({ op: 'create', store, name: 'n' }),
    await world.askStore({ op: 'set', store, key: 'a', value: 1 }),
    await world.askStore({ op: 'get', store, key: 'a' }),
  ];
  await until(() => ids.every((id) => gateway.answers.has(id)), 'the answers');
  expect(gateway.answers.get(ids[2] ?? '')).toMatchObject({ record: { value: 1 } });
  expect(end.mock.calls.filter(([topic]) => topic === 'keys')).toHaveLength(2);
});

test('a request of a workspace without a key is answered and blocks no one', async () => {
  await begin();
  await gateway.create();
  const id = await world.askStore({ op: 'get', store, key: 'a' }, 'o_2');
  expect(await gateway.set('a', 1)).toMatchObject({ found: false });
  expect(gateway.answers.get(id)).toBeNull();
});
