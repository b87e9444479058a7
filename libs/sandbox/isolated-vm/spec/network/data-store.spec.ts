// Props of type `data_store` inside the sandbox: the requests, results and errors of their methods.
import { jest } from '@jest/globals';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import type { StoreAnswer, StoreRecord } from '../../../../domain/store/question.ts';
import type { InvocationOutcome } from '../../../sandbox.ts';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { bundleOf, cacheDir } from '../harness.ts';

jest.setTimeout(40_000);

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

const store = 'ds_8kQ2vYx0LmB4nTzR';

/** A store with two records a page, which rejects the key `full`. */
function answering(): { readonly questions: Json[]; readonly askStore: (question: Json) => Promise<StoreAnswer> } {
  const questions: Json[] = [];
  const stored = new Map<string, Json>();
  const page = (after: number): StoreAnswer => {
    const all = [...stored].map(([key, value]): StoreRecord => ({ key, value, expiresAt: null }));
    const records = all.slice(after + 1, after + 3);
    const last = after + records.length;
    return { page: { records, total: all.length, first: after + 1, last, hasMore: last + 1 < all.length } };
  };
  const askStore = async (question: Json): Promise<StoreAnswer> => {
    questions.push(question);
    const { op, key = '', value = null, after = -1 } = question as JsonObject & { readonly key: string };
    if (key === 'full') return { refused: 'store_full', message: 'A data store may have 10000 keys' };
    const found = stored.has(key);
    if (op === 'set') stored.set(key, value);
    if (op === 'delete') stored.delete(key);
    if (op === 'clear') stored.clear();
    if (op === 'keys' || op === 'entries') return page(Number(after));
    if (op === 'store') return { store: { id: store, name: 'n', createdAt: 0, keys: stored.size, bytes: 0 } };
    if (op === 'get' && found) return { found, record: { key, value: stored.get(key) ?? null, expiresAt: null } };
    return { found };
  };
  return { questions, askStore };
}

const invoke = (
  body: string,
  askStore?: (question: Json) => Promise<StoreAnswer>,
  props: JsonObject = { seen: store },
): Promise<InvocationOutcome> => {
  const code = `module.exports = { name: 'a', version: '1', props: { seen: { type: 'data_store', optional: true } }, async run() { ${body} } }`;
  return sandbox.invoke({
    sourceId: `dc_${body.length}_${body.slice(-40)}`,
    revision: 1,
    bundle: () => bundleOf(code),
    what: 'run',
    event: {},
    props,
    db: () => ({}),
    onRespond: () => {},
    askStore,
  });
};

test('a number that is a key counts as its text', async () => {
  const { questions, askStore } = answering();
  const { emits, error } = await invoke(
    `await this.seen.set(5, 'five'); await this.seen.set(12345678901234567890n, 'big');
     this.$emit([await this.seen.get('5'), await this.seen.has(5), await this.seen.keys()]);`,
    askStore,
  );
  expect([error, emits.map(({ event }) => event)]).toEqual([
    undefined,
    [['five', true, ['5', '12345678901234567890']]],
  ]);
  expect(questions[0]).toEqual({ op: 'set', key: '5', value: 'five', store });
  await invoke(`await this.seen.get(NaN).catch(() => {}); await this.seen.get({}).catch(() => {});`, askStore);
  expect(questions.slice(-2)).toEqual([
    { op: 'get', key: null, store },
    { op: 'get', key: {}, store },
  ]);
});

test('its methods return what is stored, also when detached, and it can be iterated', async () => {
  const { questions, askStore } = answering();
  const { emits, error, requests } = await invoke(
    `const { get, set, has, delete: remove, keys, entries, size, setTtl, clear } = this.seen;
     await set('a', { n: 1 }, { ttl: 60 });
     await Promise.all([set('b', null), set('c', [3])]);
     const all = [];
     for await (const [key, value] of this.seen) all.push([key, value]);
     this.$emit({ a: await get('a'), b: await get('b'), none: String(await get('none')), has: [await has('a'), await has('x')] });
     this.$emit({ all, keys: await keys(), entries: await entries(), size: await size() });
     this.$emit({ ttl: await setTtl('a', 5), stays: await setTtl('a', null), removed: await remove('a'), cleared: String(await clear()) });`,
    askStore,
  );
  expect(error).toBeUndefined();
  const all = [
    ['a', { n: 1 }],
    ['b', null],
    ['c', [3]],
  ];
  expect(emits.map(({ event }) => event)).toEqual([
    { a: { n: 1 }, b: null, none: 'undefined', has: [true, false] },
    { all, keys: ['a', 'b', 'c'], entries: all, size: 3 },
    { ttl: true, stays: true, removed: true, cleared: 'undefined' },
  ]);
  expect(questions[0]).toEqual({ op: 'set', key: 'a', value: { n: 1 }, ttl: 60, store });
  expect(questions).toContainEqual({ op: 'keys', after: 1, store });
  expect(questions).toContainEqual({ op: 'set_ttl', key: 'a', store });
  // Requests to data stores are not listed as HTTP requests.
  expect(requests).toBeUndefined();
});

test('a refusal rejects with its code and the status that clients expect', async () => {
  const { askStore } = answering();
  const { emits } = await invoke(
    `const failed = async (work) => { try { await work; } catch ({ name, message, code, status }) { return { name, message, code, status }; } };
     this.$emit(await failed(this.seen.set('full', 1)));`,
    askStore,
  );
  expect(emits[0]?.event).toEqual({
    name: 'DataStoreError',
    message: 'A data store may have 10000 keys',
    code: 'store_full',
    status: 426,
  });
});

test('a value that is nested too deep is refused by name, before it is asked for', async () => {
  const { questions, askStore } = answering();
  const { emits } = await invoke(
    `for (const levels of [255, 256, 24_000])
       await this.seen.set('k', JSON.parse('['.repeat(levels) + ']'.repeat(levels))).then(() => this.$emit('set'), ({ message }) => this.$emit(message));`,
    askStore,
  );
  const [first, second, third] = emits.map(({ event }) => event);
  expect([first, second]).toEqual(['set', 'data store: the value is nested deeper than 255 levels']);
  expect(third).toMatch(/nested deeper|Maximum call stack/);
  expect(questions).toHaveLength(1);
});

test('five hundred concurrent writes all arrive, and an unawaited one does not fail the run', async () => {
  const { questions, askStore } = answering();
  const { error } = await invoke(
    `await Promise.all(Array.from({ length: 500 }, (_, n) => this.seen.set('k' + n, n))); void this.seen.set('late', 1);`,
    askStore,
  );
  expect(error).toBeUndefined();
  expect(questions.length).toBeGreaterThanOrEqual(500);
});

test.each<[string, string, JsonObject]>([
  ['an optional prop without a value is undefined', `this.$emit(String(this.seen))`, {}],
  [
    'fetch does not lead there',
    `this.$emit(String(await fetch('data stores').catch(({ name }) => name)))`,
    { seen: store },
  ],
])('%s', async (_what, body, props) => {
  const { questions, askStore } = answering();
  const { emits } = await invoke(body, askStore, props);
  expect([emits[0]?.event === 'undefined' || emits[0]?.event === 'TypeError', questions]).toEqual([true, []]);
});

test('without a data store its methods reject', async () => {
  const { error } = await invoke(`await this.seen.get('a')`);
  expect(error).toMatchObject({ name: 'DataStoreError', message: 'The component has no data store' });
});
