// Runs that ask data stores: what is on the log, and that no run fails when its partition gets another owner.
import { jest } from '@jest/globals';
import type { Json } from '../../../domain/json.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { StoreAnswer } from '../../../domain/store/question.ts';
import { StoreGateway, store } from '../testing/store-gateway.fake.ts';
import { until } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
let gateway: StoreGateway;
const { begin, life, events, runs, finished } = worldForEachTest((made) => {
  world = made;
  gateway = new StoreGateway(made);
});
const props = [{ name: 'seen', type: 'data_store' }];

test('a run that waits for a data store when its owner stops is repeated by the next one', async () => {
  const started: string[] = [];
  const go = Promise.withResolvers<void>();
  const answers: (StoreAnswer | undefined)[] = [];
  await world.deploy(
    'dc_a',
    {
      props,
      run: async ({ ask, emit }) => {
        started.push('run');
        if (started.length === 1) await go.promise;
        const answer = await ask({ op: 'set', store, key: 'a', value: started.length });
        answers.push(answer);
        emit({ event: (answer ?? null) as unknown as Json });
      },
    },
    { seen: store },
  );
  await begin();
  await gateway.create();
  await world.trigger('dc_a');
  await until(() => started.length === 1, 'the run');
  // The run asks while its owner drains and no longer reads requests.
  const stopped = life()?.stop(300);
  go.resolve();
  await stopped;
  await until(() => answers.length === 1, 'the end of the first run');
  expect(answers[0]).toMatchObject({ refused: 'unanswered' });
  expect(runs()).toEqual([]);
  await begin();
  await finished(1);
  expect(runs()).toMatchObject([{ outcome: 'succeeded' }]);
  expect(events()).toMatchObject([{ event: { record: { key: 'a' } } }]);
});

test('a run is answered while its owner drains', async () => {
  const go = Promise.withResolvers<void>();
  let hasStarted = false;
  await world.deploy(
    'dc_a',
    {
      props,
      run: async ({ ask, emit }) => {
        await ask({ op: 'has', store, key: 'a' });
        hasStarted = true;
        await go.promise;
        emit({ event: (await ask({ op: 'get', store, key: 'a' })) as unknown as Json });
      },
    },
    { seen: store },
  );
  await begin();
  await world.trigger('dc_a');
  await until(() => hasStarted, 'the run');
  const answer: StoreAnswer = { found: false };
  const stopped = life()?.stop(2_000);
  go.resolve();
  // The test answers instead of an owner in another process.
  await until(() => world.log.records('triggers').some(({ type }) => type === 'DataStoreRequested'), 'the question');
  const { id, data } = world.log.records('triggers').at(-1) ?? {};
  const { replyTo } = data as { readonly replyTo: string };
  world.log.reply(replyTo, {
    type: 'DataStoreAnswered',
    requestId: id ?? '',
    answer: world.seal(answer as unknown as Json),
  });
  await stopped;
  expect(events()).toMatchObject([{ event: { found: false } }]);
});

test('a question carries no fields that do not belong to its operation', async () => {
  const more = { value: 'x'.repeat(500_000), name: ['n'], after: 'x' };
  const read = await world.askStore({ op: 'get', store, key: 'a' });
  await world.deploy(
    'dc_a',
    {
      props,
      run: async ({ ask, emit }) =>
        emit({ event: (await ask({ op: 'get', store, key: 'a', ...more })) as unknown as Json }),
    },
    { seen: store },
  );
  await begin();
  await gateway.create();
  await world.trigger('dc_a');
  await finished(1);
  expect(events()).toMatchObject([{ event: { found: false } }]);
  const requests = world.log.records('triggers').filter(({ type }) => type === 'DataStoreRequested');
  const [first, last] = [requests.find(({ id }) => id === read), requests.at(-1)].map(
    (record) => (record?.data as { readonly question: Sealed } | undefined)?.question.$sealed.length ?? 0,
  );
  expect(first).toBeGreaterThan(0);
  expect(last).toBe(first);
});

test('listens for answers from the start until the stop', async () => {
  const stopped = jest.fn();
  const listen = jest.spyOn(world.log, 'onReply').mockReturnValue(stopped);
  await begin();
  expect(listen).toHaveBeenCalledWith(expect.stringMatching(/^rt_/), expect.any(Function));
  await life()?.stop(0);
  expect(stopped).toHaveBeenCalledTimes(listen.mock.calls.length);
});

describe('the description of a component that is being deployed', () => {
  const dataStoresOf = async (sourceId: string): Promise<unknown> => {
    await world.trigger(sourceId, { kind: 'describe' });
    const outcomes = () => world.data<{ readonly sourceId: string; readonly dataStores?: unknown }>('hooks');
    const outcome = () => outcomes().find((one) => one.sourceId === sourceId);
    await until(() => outcome() !== undefined, 'the outcome');
    return outcome()?.dataStores;
  };

  test('lists the data stores that its props may name, and nothing without such a prop', async () => {
    await world.beginDeploy('dc_a', { props });
    await world.beginDeploy('dc_b', {});
    await begin();
    expect(await dataStoresOf('dc_a')).toEqual([]);
    await gateway.create();
    await world.beginDeploy('dc_c', { props });
    expect(await dataStoresOf('dc_c')).toEqual([store]);
    expect(await dataStoresOf('dc_b')).toBeUndefined();
  });
});
