import type { ViewBuild, ViewDocument, ViewQuery } from '../../../../view-store/view-store.ts';
import { SourceReader } from './source-reader.ts';
import { eventStreams } from '../stream-kind.ts';
import type { StreamPosition } from '../stream-kind.ts';
import { FieldSelection } from '../selection.ts';
import { SharedPages } from './shared-pages.ts';

const followed = { kind: eventStreams, workspace: 'o_1', sourceId: 'dc_1', channel: undefined };
const allFields = new FieldSelection(followed, {});
const eventCount = 20;

/** A position in the list; 0: before the first event. */
const placeOf = (n: number): StreamPosition =>
  n === 0 ? undefined : { sort: String(n).padStart(3, '0'), id: `e${n}` };
const document = (n: number): ViewDocument => {
  const order = String(n).padStart(3, '0');
  const value = { order, eventId: `1-${n}`, channel: '', event: { n }, emit: {}, emittedAt: 1 };
  return { id: `e${n}`, version: n, value } as unknown as ViewDocument;
};

function world() {
  const clock = { ms: 0 };
  const reads: (string | number | undefined)[] = [];
  let failing = 0;
  const build = {
    name: 'b1',
    find: (_view: string, { after, limit }: ViewQuery) => {
      reads.push(after?.sort);
      if (failing > 0 && failing-- > 0) return Promise.reject(new Error('told to fail'));
      const from = Number(after?.sort ?? 0) + 1;
      const to = Math.min(from + (limit ?? 0) - 1, eventCount);
      return Promise.resolve(Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => document(from + i)));
    },
  } as unknown as ViewBuild;
  const pages = new SharedPages(() => clock.ms);
  const readPage = (n: number, { key = 'k', end = 100 } = {}) =>
    pages.page(
      { key, of: followed, reader: new SourceReader(followed), place: placeOf(n) },
      { build, buildName: 'b1', end },
    );
  const numbers = async (n: number, at?: Parameters<typeof readPage>[1]) =>
    (await readPage(n, at))?.documents.map(({ version }) => version);
  return { clock, reads, pages, build, ask: readPage, numbers, fail: () => failing++ };
}

test('streams that need the same page share one read and its bytes, at once or one after the other', async () => {
  const { reads, ask: readPage } = world();
  const [one, other] = await Promise.all([readPage(0), readPage(0)]);
  const later = await readPage(0);
  expect(reads).toEqual([undefined]);
  expect(one?.encode(allFields)).toBeInstanceOf(Buffer);
  for (const page of [other, later]) expect(page?.encode(allFields)).toBe(one?.encode(allFields));
});

test('a page keeps the bytes of two selections of fields, however many there are', async () => {
  const { ask: readPage } = world();
  const page = await readPage(0);
  const shown = ['id', 'id,event', 'event'].map((include) => new FieldSelection(followed, { include }));
  const [first, second, third] = shown.map((selection) => [page?.encode(selection), page?.encode(selection)]);
  for (const kept of [first, second]) expect(kept?.[0]).toBe(kept?.[1]);
  expect(third?.[0]).not.toBe(third?.[1]);
  expect(third?.[0]).toEqual(third?.[1]);
});

test('a stream that begins within a page gets the rest of it, and the next page is the same for all', async () => {
  const { reads, numbers, ask: readPage } = world();
  expect(await numbers(0)).toEqual([1, 2, 3, 4]);
  expect(await numbers(2)).toEqual([3, 4]);
  expect((await readPage(2))?.encode(allFields)?.toString()).not.toContain('"n":2');
  expect([await numbers(4), await numbers(4)]).toEqual([
    [5, 6, 7, 8],
    [5, 6, 7, 8],
  ]);
  expect(reads).toEqual([undefined, '004']);
});

test('the last page is shared as the last one', async () => {
  const { reads, ask: readPage } = world();
  const last = await readPage(eventCount - 1);
  expect([last?.isLast, last?.documents.length]).toEqual([true, 1]);
  const none = [await readPage(eventCount), await readPage(eventCount)];
  expect(none.map((page) => [page?.isLast, page?.documents.length])).toEqual([
    [true, 0],
    [true, 0],
  ]);
  expect(reads).toHaveLength(2);
});

test('nothing is shared with streams of other records, once the views have advanced, or after two seconds', async () => {
  const { clock, reads, numbers } = world();
  await numbers(0);
  await numbers(0, { key: 'other' });
  await numbers(0, { end: 101 });
  clock.ms = 2_001;
  await numbers(0);
  expect(reads).toHaveLength(4);
});

test('a read that fails is not kept, nor one of views that were replaced', async () => {
  const { pages, build, ask: readPage, numbers, fail } = world();
  fail();
  await expect(readPage(0)).rejects.toThrow('told to fail');
  Object.assign(build, { name: 'b2' });
  expect(await readPage(0)).toBeUndefined();
  expect(pages.size).toBe(0);
  Object.assign(build, { name: 'b1' });
  expect(await numbers(0)).toEqual([1, 2, 3, 4]);
});

test('sixteen pages are kept, and none after they are cleared', async () => {
  const { pages, reads, numbers } = world();
  for (let n = 0; n < 17; n++) await numbers(0, { key: `k${n}` });
  expect(pages.size).toBe(16);
  await numbers(0, { key: 'k16' });
  expect(reads).toHaveLength(17);
  await numbers(0, { key: 'k0' });
  expect(reads).toHaveLength(18);
  pages.clear();
  expect(pages.size).toBe(0);
});
