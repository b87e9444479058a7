// Data stores: a read sees all earlier writes, each write counts once even after kills, and expired keys are removed.
import { jest } from '@jest/globals';
import type { Json } from '../../../domain/json.ts';
import { sizes } from '../../../domain/sizes.ts';
import { storeBounds } from '../../../domain/store/bounds.ts';
import type { StoreAnswer, StorePage } from '../../../domain/store/question.ts';
import { Vault } from '../source/vault.ts';
import { StoreGateway, store } from '../testing/store-gateway.fake.ts';
import { until } from '../testing/life.fake.ts';
import type { Step } from '../testing/life.fake.ts';
import { masterKey, workspace } from '../testing/world.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';
import { tombstoneBytes } from '../output/record-bytes.ts';
import { Stores } from './stores.ts';
import type { StoreResult } from './workspace-stores.ts';

const other = 'ds_8kQ2vYx0LmB4nTzS';

let world: World;
let gateway: StoreGateway;
const { begin, life, runs, events, finished } = worldForEachTest((made) => {
  world = made;
  gateway = new StoreGateway(made);
});

const ask = (question: Json): Promise<StoreAnswer> => gateway.ask(question);
const create = (id = store, name = 'Seen'): Promise<StoreAnswer> => ask({ op: 'create', store: id, name });
const set = (key: string, value: Json, ttl?: number): Promise<StoreAnswer> => gateway.set(key, value, ttl);
const get = (key: string): Promise<StoreAnswer> => ask({ op: 'get', store, key });
const valueOf = async (key: string): Promise<Json | undefined> => {
  const answer = await get(key);
  return 'record' in answer ? answer.record?.value : undefined;
};
const pageOf = async (question: Json): Promise<StorePage> => {
  const answer = await ask(question);
  if (!('page' in answer)) throw new Error(JSON.stringify(answer));
  return answer.page;
};
/** The keys whose newest record is not a tombstone. */
const liveKeys = (): readonly string[] => {
  const newest = new Map(world.log.records('stores').map((record) => [record.key, record]));
  return [...newest.values()].filter(({ data }) => data !== undefined && data !== null).map(({ key }) => key);
};

test('keys can be set, read, replaced, listed in order, counted and deleted, even after a restart', async () => {
  await begin();
  expect(await create()).toMatchObject({ store: { id: store, name: 'Seen', keys: 0, bytes: 0 } });
  expect(await set('a', { n: 1 })).toEqual({ found: false, record: { key: 'a', expiresAt: null } });
  await set('b', [2]);
  await set('c', 3);
  expect(await set('a', { n: 2 })).toMatchObject({ found: true });
  life()?.kill();
  await begin();
  expect(await get('a')).toEqual({ found: true, record: { key: 'a', value: { n: 2 }, expiresAt: null } });
  expect(await ask({ op: 'has', store, key: 'x' })).toEqual({ found: false });
  expect((await pageOf({ op: 'keys', store })).records.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  const first = await pageOf({ op: 'entries', store, limit: 2 });
  expect(first.records.map(({ value }) => value)).toEqual([{ n: 2 }, [2]]);
  expect(await pageOf({ op: 'entries', store, limit: 2, after: first.last ?? 0 })).toMatchObject({
    records: [{ key: 'c', value: 3, expiresAt: null }],
    total: 3,
    hasMore: false,
  });
  expect(await ask({ op: 'delete', store, key: 'b' })).toEqual({ found: true });
  expect(await ask({ op: 'store', store })).toMatchObject({ store: { keys: 2 } });
  expect(await ask({ op: 'clear', store })).toEqual({ found: true });
  expect(await ask({ op: 'stores' })).toMatchObject({ stores: [{ id: store, keys: 0, bytes: 0 }] });
  expect(await ask({ op: 'remove', store })).toEqual({ found: true });
  expect(await get('a')).toMatchObject({ refused: 'store_not_found' });
  expect(liveKeys()).toEqual([store, 'requests']);
});

test('a store that was removed is not created anew by the request that created it, even after a restart', async () => {
  await begin();
  await create();
  await set('a', 1);
  expect(await ask({ op: 'remove', store })).toEqual({ found: true });
  life()?.kill();
  await begin();
  expect(await create()).toMatchObject({ refused: 'store_removed' });
  expect(await create(other)).toMatchObject({ store: { id: other } });
  expect(await ask({ op: 'stores' })).toMatchObject({ stores: [{ id: other }] });
  expect(liveKeys()).toEqual([store, other, 'requests']);
});

test('neither keys nor values are readable on the log', async () => {
  await begin();
  await create();
  await set('a secret key', 'a secret value');
  expect(JSON.stringify([...world.log.records('stores'), ...world.log.records('triggers')])).not.toContain('secret');
});

test('a read with no unsaved write before it appends nothing, and a read after a write sees it', async () => {
  await begin();
  await create();
  await set('a', 1);
  const appends = life()?.outputs.length;
  expect(await valueOf('a')).toBe(1);
  expect(life()?.outputs.length).toBe(appends);
  const write = world.askStore({ op: 'set', store, key: 'a', value: 2 });
  const read = await world.askStore({ op: 'get', store, key: 'a' });
  await until(() => gateway.answers.has(read));
  expect(gateway.answers.get(read)).toMatchObject({ record: { value: 2 } });
  await write;
});

test.each<Step>(['taken', 'appended'])('a kill when a write was %s loses no write and repeats none', async (step) => {
  await begin();
  await create();
  await set('a', 1);
  life()?.kill();
  await begin({ killAt: (at) => at === step });
  const [first, second] = [
    await world.askStore({ op: 'set', store, key: 'a', value: 2 }),
    await world.askStore({ op: 'delete', store, key: 'a' }),
  ];
  await until(() => life()?.killed === true, 'the kill');
  expect([gateway.answers.has(first), gateway.answers.has(second)]).toEqual([false, false]);
  await begin();
  expect(await valueOf('a')).toBeUndefined();
  expect(liveKeys().filter((key) => key.includes('/'))).toEqual([]);
});

test('a write refused as too large for the workspace is not carried out when its request is read again', async () => {
  const hanging = Promise.withResolvers<void>();
  await world.deploy('dc_a', { run: () => hanging.promise });
  await begin();
  await create();
  // The hanging run keeps the mark below everything that follows.
  await world.trigger('dc_a');
  const value = 'x'.repeat(storeBounds.valueBytes - 2);
  const fits = Math.floor(storeBounds.workspaceBytes / storeBounds.valueBytes) - 1;
  for (let n = 0; n < fits; n++) await world.askStore({ op: 'set', store, key: `k${n}`, value });
  await set('small', 'y'.repeat(storeBounds.valueBytes / 2));
  expect(await set('more', value)).toMatchObject({
    refused: 'store_full',
    message: expect.stringContaining('16777216'),
  });
  await ask({ op: 'delete', store, key: 'k0' });
  life()?.kill();
  hanging.resolve();
  await begin();
  expect(await valueOf('more')).toBeUndefined();
  expect(await set('more', value)).toMatchObject({ found: false });
});

test('a key expires on time, a new ttl replaces the former one, and the record of an expired key is erased', async () => {
  await begin();
  await create();
  await set('short', 1, 10);
  await set('long', 2, 10);
  await set('kept', 3, 10);
  expect(await ask({ op: 'set_ttl', store, key: 'long', ttl: 1_000 })).toEqual({ found: true });
  expect(await ask({ op: 'set_ttl', store, key: 'kept' })).toEqual({ found: true });
  world.advanceClock(11_000);
  expect([await valueOf('short'), await valueOf('long'), await valueOf('kept')]).toEqual([undefined, 2, 3]);
  expect(await ask({ op: 'store', store })).toMatchObject({ store: { keys: 2 } });
  await until(() => liveKeys().filter((key) => key.includes('/')).length === 2, 'the tombstone');
  expect(await set('short', 4)).toMatchObject({ found: false });
  life()?.kill();
  world.advanceClock(1_000_000);
  await begin();
  expect((await pageOf({ op: 'keys', store })).records.map(({ key }) => key)).toEqual(['kept', 'short']);
  await until(() => liveKeys().filter((key) => key.includes('/')).length === 2, 'the tombstone');
});

test('another workspace neither sees nor changes the store', async () => {
  await begin();
  await create();
  const id = await world.askStore({ op: 'get', store, key: 'a' }, 'o_2');
  await until(() => gateway.answers.has(id));
  // That workspace has no data key here, so its question cannot be opened.
  expect(gateway.answers.get(id)).toBeNull();
});

test.each<[string, Json]>([
  ['a question that is not an object', 5],
  ['an unknown operation', { op: 'drop', store }],
  ['an id that is not one of a store', { op: 'get', store: 'dc_8kQ2vYx0LmB4nTzR', key: 'a' }],
  ['a read without a key', { op: 'get', store }],
  ['an empty key', { op: 'set', store, key: '', value: 1 }],
  ['a key that is too long', { op: 'set', store, key: 'k'.repeat(storeBounds.keyUnitsMax + 1), value: 1 }],
  ['a write without a value', { op: 'set', store, key: 'a' }],
  ['a value that is too large', { op: 'set', store, key: 'a', value: 'x'.repeat(storeBounds.valueBytes) }],
  ['a negative ttl', { op: 'set', store, key: 'a', value: 1, ttl: -1 }],
  ['a ttl that is text', { op: 'set_ttl', store, key: 'a', ttl: '5' }],
])('refuses %s as invalid', async (_what, question) => {
  await begin();
  await create();
  expect(await ask(question)).toMatchObject({ refused: 'invalid' });
});

test('a run can use only the stores that its props name, and sees there what other runs wrote', async () => {
  const props = [{ name: 'seen', type: 'data_store' }];
  await world.deploy(
    'dc_a',
    {
      props,
      run: async ({ ask: askStore, emit }) => {
        await askStore({ op: 'set', store, key: 'by', value: 'dc_a' });
        emit({ event: (await askStore({ op: 'get', store: other, key: 'by' })) as unknown as Json });
        emit({ event: (await askStore({ op: 'create', store, name: 'mine' })) as unknown as Json });
      },
    },
    { seen: store },
  );
  await world.deploy(
    'dc_b',
    {
      props,
      run: async ({ ask: askStore, emit }) =>
        emit({ event: (await askStore({ op: 'get', store, key: 'by' })) as unknown as Json }),
    },
    { seen: store },
  );
  await world.deploy('dc_c', {
    run: async ({ ask: askStore, emit }) => emit({ event: `${await askStore({ op: 'stores' })}` }),
  });
  await begin();
  await create();
  await create(other, 'Other');
  await world.trigger('dc_a');
  await finished(1);
  await world.trigger('dc_b');
  await finished(2);
  await world.trigger('dc_c');
  await finished(3);
  expect(events().map(({ event }) => event)).toEqual([
    { refused: 'store_not_found', message: expect.any(String) },
    { refused: 'store_not_found', message: expect.any(String) },
    { found: true, record: { key: 'by', value: 'dc_a', expiresAt: null } },
    'undefined',
  ]);
  expect(runs().map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded', 'succeeded']);
});

test('many changes of large entries are split into several appends next to a run with a large output', async () => {
  await world.deploy('dc_a', { run: ({ emit }) => emit({ event: 'x'.repeat(500_000) }) });
  await begin({ appendBytes: 1_000_000 });
  await create();
  await set('large', 'x'.repeat(200_000));
  let last = '';
  for (let n = 0; n < 20; n++) {
    last = await world.askStore({ op: 'set_ttl', store, key: 'large', ttl: 100 + n });
    if (n === 3) await world.trigger('dc_a');
  }
  await until(() => gateway.answers.has(last), 'the last answer');
  await finished(1);
  const written = life()?.outputs.map(({ records }) => records.map(({ record }) => record)) ?? [];
  const appended = written.map((records) => Buffer.byteLength(JSON.stringify(records)));
  expect(Math.max(...appended)).toBeLessThan(1_000_000);
  expect((await get('large')) as object).toMatchObject({ found: true });
});

/** Stores without a log; `slot` counts the requests. */
function inMemory(): { readonly stores: Stores; readonly at: (question: Json, now?: number) => StoreResult } {
  const vault = new Vault(masterKey, { now: () => 0, randomBytes: (count) => Buffer.alloc(count) });
  jest.spyOn(vault, 'seal').mockReturnValue({ $sealed: 'AAAA' });
  const stores = new Stores(vault);
  let slot = 0;
  const at = (question: Json, now = 0): StoreResult => stores.answer(workspace, question, { now, slot: slot++ });
  at({ op: 'create', store, name: 'Seen' });
  return { stores, at };
}

test('limits the number of stores and keys, and clears a full store in one append', () => {
  const { at } = inMemory();
  for (let n = 1; n < storeBounds.storesMax; n++)
    at({ op: 'create', store: `ds_${String(n).padStart(16, '0')}`, name: 'n' });
  const more = at({ op: 'create', store: other, name: 'n' });
  expect(more).toEqual({
    answer: { refused: 'store_full', message: 'A workspace may have 100 data stores' },
    changes: [],
  });
  expect(at({ op: 'create', store, name: 'again' }).answer).toMatchObject({ store: { name: 'Seen' } });
  for (let n = 0; n < storeBounds.keysMax; n++) at({ op: 'set', store, key: `k${n}`, value: n });
  expect(at({ op: 'set', store, key: 'one more', value: 1 }).answer).toMatchObject({ refused: 'store_full' });
  expect(at({ op: 'set', store, key: 'k0', value: 1 }).answer).toMatchObject({ found: true });
  const { changes } = at({ op: 'clear', store });
  expect(changes).toHaveLength(storeBounds.keysMax);
  expect(changes.length * tombstoneBytes).toBeLessThan(sizes.appendBytes * 0.75);
  expect(at({ op: 'store', store }).answer).toMatchObject({ store: { keys: 0, bytes: 0 } });
});

test('moving the expiry of a key again and again does not keep the former times in memory', () => {
  const { stores, at } = inMemory();
  for (let n = 1; n <= 10; n++) at({ op: 'set', store, key: `k${n}`, value: n, ttl: n });
  for (let n = 11; n < 20_000; n++) at({ op: 'set_ttl', store, key: 'k1', ttl: n });
  expect(stores.expiryCount).toBeLessThan(2_100);
  expect(stores.expire(9_999)).toHaveLength(8);
  expect(at({ op: 'keys', store }, 9_999).answer).toMatchObject({ page: { records: [{ key: 'k1' }, { key: 'k10' }] } });
});
