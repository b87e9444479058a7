import type { ViewDefinition } from '../../../../domain/views/view.ts';
import { MemoryViewStore } from '../../../../view-store/view-store.fake.ts';
import { readSearchedPage } from './searched-list.ts';
import type { SearchableViewList } from './searched-list.ts';

const definition: ViewDefinition = { name: 'things', indexes: { byWorkspace: ['workspace', 'createdAt'] } };
const positionAt = (cursor: string) => ({ sort: Number(cursor.split('/')[0]), id: cursor.split('/')[1] ?? '' });
const list: SearchableViewList = {
  view: 'things',
  index: 'byWorkspace',
  equals: ['o_1'],
  positionOfCursor: positionAt,
  cursorOf: ({ id, value }) => `${String(value['createdAt'])}/${id}`,
  textsOf: ({ id, name }) => [id as string, name as string | null],
  sortOf: ({ createdAt }) => Number(createdAt),
};

/** Record n has the name `nameOf(n)`, and two records each share a time. */
async function views(count: number, nameOf: (n: number) => string | null) {
  const build = new MemoryViewStore([definition]).live();
  await build.put(
    Array.from({ length: count }, (_, n) => {
      const id = `t_${String(n).padStart(5, '0')}`;
      const value = { workspace: 'o_1', id, name: nameOf(n), createdAt: Math.floor(n / 2) };
      return { view: 'things', id, version: n, value };
    }),
  );
  return build;
}

const ids = ({ documents }: Awaited<ReturnType<typeof readSearchedPage>>): number[] =>
  documents.map(({ id }) => Number(id.slice(2)));

test('finds a literal text in names and ids, ignoring case, newest first', async () => {
  const build = await views(10, (n) => (n === 3 ? null : n % 2 === 0 ? `Order ${n}` : `Payment ${n}`));
  expect(ids(await readSearchedPage(build, list, { q: 'oRDer' }))).toEqual([8, 6, 4, 2, 0]);
  expect(ids(await readSearchedPage(build, list, { q: 't_00003' }))).toEqual([3]);
  expect(ids(await readSearchedPage(build, list, { q: '.*' }))).toEqual([]);
  for (const q of ['', '  ', null])
    expect(ids(await readSearchedPage(build, list, { q, limit: 100 }))).toHaveLength(10);
});

test('pages list each match once, in both directions', async () => {
  const build = await views(40, (n) => (n % 3 === 0 ? 'Order' : 'Payment'));
  const wanted = Array.from({ length: 14 }, (_, n) => 39 - 3 * n);
  const found: number[] = [];
  let after = '';
  let before = '';
  for (;;) {
    const page = await readSearchedPage(build, list, { q: 'order', limit: 4, after });
    expect(page.page_info.total_count).toBe(14);
    if (page.documents.length === 0) break;
    found.push(...ids(page));
    before = String(page.page_info.start_cursor);
    after = String(page.page_info.end_cursor);
  }
  expect(found).toEqual(wanted);
  expect(ids(await readSearchedPage(build, list, { q: 'order', limit: 4, before }))).toEqual(wanted.slice(8, 12));
});

test('searches only the newest 2,000 records', async () => {
  const build = await views(10_000, (n) => (n === 8_000 || n === 7_999 ? 'needle' : 'hay'));
  expect(ids(await readSearchedPage(build, list, { q: 'needle' }))).toEqual([8_000]);
});
