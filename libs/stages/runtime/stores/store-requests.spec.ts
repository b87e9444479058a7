// Requests to data stores share appends with runs: neither many requests nor large answers crowd out anything else.
import { jest } from '@jest/globals';
import type { Json } from '../../../domain/json.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { storeBounds } from '../../../domain/store/bounds.ts';
import type { StoreRequest } from '../../../domain/store/messages.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import type { Backlog } from '../lanes/backlog.ts';
import { OutputBatch } from '../output/output-batch.ts';
import { tombstoneBytes } from '../output/record-bytes.ts';
import { Vault } from '../source/vault.ts';
import { StoreGateway, store } from '../testing/store-gateway.fake.ts';
import { until } from '../testing/life.fake.ts';
import { masterKey, workspace } from '../testing/world.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';
import { Stores } from './stores.ts';
import { answersBytesMax, StoreRequests } from './store-requests.ts';

let world: World;
let gateway: StoreGateway;
const { begin, life } = worldForEachTest((made) => {
  world = made;
  gateway = new StoreGateway(made);
});

test.each([
  ['at once', false],
  ['behind a write', true],
])(
  'limits the bytes of answers to reads %s between two appends, and answers all of them',
  async (_how, isBehindWrite) => {
    const bytesByAppend = new Map<number, number>();
    await begin();
    await gateway.create();
    await gateway.set('large', 'x'.repeat(storeBounds.valueBytes - 2));
    world.log.onReply('gw_1', (reply) => {
      const appends = life()?.outputs.length ?? 0;
      if (reply.type === 'DataStoreAnswered')
        bytesByAppend.set(appends, (bytesByAppend.get(appends) ?? 0) + (reply.answer?.$sealed.length ?? 0));
    });
    const requests: Promise<string>[] = [];
    if (isBehindWrite) requests.push(world.askStore({ op: 'set', store, key: 'small', value: 1 }));
    for (let n = 0; n < 40; n++) requests.push(world.askStore({ op: 'get', store, key: 'large' }));
    const ids = await Promise.all(requests);
    await until(() => ids.every((id) => gateway.answers.has(id)), 'all answers');
    expect(Math.max(...bytesByAppend.values())).toBeLessThan(answersBytesMax + storeBounds.valueBytes * 1.5);
  },
);

test('finished runs that fill an append and requests to data stores take turns', async () => {
  const disk = Promise.withResolvers<void>();
  let ended = 0;
  await world.deploy('dc_a', {
    run: ({ emit }) => {
      for (const channel of ['a', 'b']) emit({ channel, event: 'x'.repeat(50_000) });
      ended++;
    },
  });
  await begin({ appendBytes: 120_000, disk: disk.promise });
  let last = await world.askStore({ op: 'create', store, name: 'n' });
  for (let n = 0; n < 6; n++) await world.trigger('dc_a');
  for (let n = 0; n < 6; n++)
    last = await world.askStore({ op: 'set', store, key: `k${n}`, value: 'x'.repeat(22_000) });
  await until(() => ended === 6, 'the runs');
  disk.resolve();
  await until(() => gateway.answers.has(last) && world.log.records('runs').length === 6, 'all of it');
  const appended = life()?.outputs.map(({ records }) => records.map(({ topic }) => topic)) ?? [];
  const [ofRuns, ofStores] = (['runs', 'stores'] as const).map((topic) =>
    appended.flatMap((topics, at) => (topics.includes(topic) && at > 0 ? [at] : [])),
  );
  expect(ofRuns?.[0]).toBeLessThan(ofStores?.at(-1) ?? 0);
  expect(ofStores?.[0]).toBeLessThan(ofRuns?.at(-1) ?? 0);
});

/** Adds and takes requests by hand, without a log. */
class Bench {
  now = 1_000;
  readonly #vault = new Vault(masterKey, { now: () => 0, randomBytes: (count) => Buffer.alloc(count) });
  readonly #stores: Stores;
  readonly requests: StoreRequests;
  #offset = 0;

  constructor() {
    for (const record of world.log.records('keys')) this.#vault.accept(record);
    this.#stores = new Stores(this.#vault);
    this.requests = new StoreRequests({
      stores: this.#stores,
      vault: this.#vault,
      backlog: { addPublish: () => {}, publishDone: () => {} } as unknown as Backlog,
      ambient: { now: () => this.now },
      context: { partition: 0, ready: () => {}, fail: () => {}, log: { reply: () => {} } as never },
      start: [],
    });
    this.add({ op: 'create', store, name: 'n' });
  }

  add(question: Json): void {
    const chain = { correlationId: 'req_1', causationId: 'req_1' };
    const data = { question: world.seal(question), replyTo: 'gw_1' };
    const request = {
      id: `req_${this.#offset}`,
      type: 'DataStoreRequested',
      version: 7,
      key: workspace,
      workspace,
      at: 0,
    };
    this.requests.add({ ...request, ...chain, data, offset: this.#offset++ } as unknown as StoredRecord<StoreRequest>);
  }

  /** Takes and confirms the records of one append. */
  take(bytesMax = 8_000_000): readonly OutgoingOn[] {
    const batch = new OutputBatch({ partition: 0, bytesMax } as never, this.now);
    this.requests.takeInto(batch, bytesMax, true);
    const records = batch.records(0);
    this.requests.appended(records);
    return records;
  }
}

const erased = (records: readonly OutgoingOn[]): number =>
  records.filter(({ record: { data } }) => data === undefined || data === null).length;

test('clears a store with expired keys, whose tombstones use the bytes left in the append', () => {
  const bench = new Bench();
  for (let n = 0; n < 200; n++) bench.add({ op: 'set', store, key: `k${n}`, value: n, ttl: n < 100 ? 1 : 100 });
  bench.take();
  bench.now += 2_000;
  bench.add({ op: 'get', store, key: 'k1' });
  bench.add({ op: 'clear', store });
  expect(erased(bench.take(tombstoneBytes * 111))).toBe(110);
  expect(erased(bench.take(tombstoneBytes * 50))).toBe(50);
  bench.requests.stop();
});

test.each([
  ['long names', { op: 'create', name: '\u0001'.repeat(storeBounds.nameUnitsMax) }],
  ['long names of multi-byte letters', { op: 'create', name: '語'.repeat(storeBounds.nameUnitsMax) }],
  ['entries', { op: 'set', key: 'k', value: 1 }],
])('no append with %s exceeds its limit', (_what, question) => {
  const bench = new Bench();
  bench.take();
  for (let n = 0; n < 90; n++) {
    const id = `ds_${String(n).padStart(16, '0')}`;
    bench.add(question.op === 'create' ? { ...question, store: id } : { ...question, store, key: `k${n}` });
  }
  const bytesMax = 40_000;
  let count = 0;
  for (let records = bench.take(bytesMax); records.length > 0; records = bench.take(bytesMax)) {
    expect(Buffer.byteLength(JSON.stringify(records))).toBeLessThan(bytesMax);
    count += records.length - 1;
  }
  expect(count).toBe(90);
  bench.requests.stop();
});

test('sets no timer for expiry after a stop, even when an append was under way', () => {
  const bench = new Bench();
  bench.add({ op: 'set', store, key: 'k', value: 1, ttl: 1 });
  const timer = jest.spyOn(globalThis, 'setTimeout');
  bench.take();
  expect(timer).toHaveBeenCalledTimes(1);
  bench.requests.stop();
  bench.take();
  expect(timer).toHaveBeenCalledTimes(1);
  timer.mockRestore();
});

test.each<[string, Json]>([
  ['a write that is refused', { op: 'set', store: 'ds_8kQ2vYx0LmB4nTzS', key: 'a', value: 1 }],
  ['a write that changes nothing', { op: 'delete', store, key: 'a' }],
  ['a question that is not valid', { op: 'set', store, key: '' }],
])('%s leaves a record that it was carried out, in case it is read again', (_what, question) => {
  const bench = new Bench();
  bench.take();
  bench.add(question);
  expect(bench.take().map(({ record }) => record.data)).toEqual([{ below: 2 }]);
  bench.requests.stop();
});
