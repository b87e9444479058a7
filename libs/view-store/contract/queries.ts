// The contract, part two: documents are found by declared indexes, in order, page by page.
import fc from 'fast-check';
import type { ViewQuery } from '../view-store.ts';
import { book, eachOpened, ids, write, type OpenViewStore } from './fixture.ts';

const byShelf = (shelf: string, more: Partial<ViewQuery> = {}): ViewQuery => ({
  index: 'byShelf',
  equals: [shelf],
  order: 'ascending',
  limit: 100,
  ...more,
});

const byTitle: ViewQuery = { index: 'byTitle', equals: ['a', 'poetry'], order: 'ascending', limit: 100 };

export function promiseQueries(open: OpenViewStore): void {
  const opened = eachOpened(open);
  const live = () => opened().store.live();

  test('find matches by equality and sorts numbers by size, ties by id', async () => {
    await live().put([
      write('c', 1, book('a', 2)),
      write('b', 1, book('a', 10)),
      write('a', 1, book('a', 2)),
      write('d', 1, book('a', -1.5)),
      write('e', 1, book('A', 3)),
      write('f', 1, book('ab', 3)),
    ]);
    expect(ids(await live().find('books', byShelf('a')))).toEqual(['d', 'a', 'c', 'b']);
    expect(ids(await live().find('books', byShelf('a', { order: 'descending' })))).toEqual(['b', 'c', 'a', 'd']);
    expect(await live().find('books', byShelf('nobody'))).toEqual([]);
  });

  test('find sorts texts in binary order of UTF-8', async () => {
    const titles = ['', 'B', 'a', 'b', 'é', '\uffee', '\u{1F600}'];
    await live().put(titles.map((title, i) => write(`${9 - i}`, 1, book('a', 1, { title }))));
    const found = await live().find('books', byTitle);
    expect(found.map(({ value }) => value['title'])).toEqual(titles);
  });

  test('an index with only a sort field finds all documents', async () => {
    await live().put([write('x', 1, book('a', 2)), write('y', 1, book('b', 1)), write('z', 1, undefined)]);
    const query: ViewQuery = { index: 'byYear', equals: [], order: 'ascending', limit: 10 };
    expect(ids(await live().find('books', query))).toEqual(['y', 'x']);
    expect(await live().count('books', query)).toBe(2);
  });

  test('the highest sort value covers existing documents only', async () => {
    const inShelf = (shelf: string) => live().highest('books', { index: 'byShelf', equals: [shelf] });
    await live().put([write('x', 1, book('a', 9)), write('y', 1, book('a', 10)), write('z', 1, book('b', 11))]);
    expect([await inShelf('a'), await inShelf('b'), await inShelf('nobody')]).toEqual([10, 11, undefined]);
    await live().put([write('y', 2, undefined)]);
    expect(await inShelf('a')).toBe(9);
    const titles = ['a', 'b', 'é', '\uffee', '\u{1F600}'];
    await live().put(titles.map((title, i) => write(`t${i}`, 1, book('c', 1, { title }))));
    expect(await live().highest('books', { index: 'byTitle', equals: ['c', 'poetry'] })).toBe('\u{1F600}');
  });

  test('a counted range includes its first sort value and excludes its last, for numbers and texts', async () => {
    await live().put([1, 2, 3, 4].map((year) => write(`y${year}`, 1, book('a', year, { title: `t${year}` }))));
    await live().put([write('z', 1, book('b', 2)), write('gone', 1, undefined)]);
    const count = (range: object) => live().count('books', { index: 'byShelf', equals: ['a'], ...range });
    expect([await count({ from: 2, to: 4 }), await count({ from: 4 }), await count({ to: 2 })]).toEqual([2, 1, 1]);
    expect([await count({ from: 9 }), await count({ from: 0, to: 9 })]).toEqual([0, 4]);
    const titles = { index: 'byTitle', equals: ['a', 'poetry'], from: 't2', to: 't4' };
    expect(await live().count('books', titles)).toBe(2);
  });

  test('a changed document is found by its new values only', async () => {
    await live().put([write('x', 1, book('a', 1)), write('y', 1, book('a', 2))]);
    await live().put([write('x', 2, book('b', 5)), write('y', 2, undefined)]);
    expect(await live().find('books', byShelf('a'))).toEqual([]);
    expect(await live().count('books', byShelf('a'))).toBe(0);
    expect(await live().find('books', byShelf('b'))).toEqual([{ id: 'x', version: 2, value: book('b', 5) }]);
    expect(await live().count('books', byShelf('b'))).toBe(1);
  });

  test.each(['ascending', 'descending'] as const)('%s pages contain every document once', async (order) => {
    const names = Array.from({ length: 23 }, (_, i) => `n${String(i).padStart(2, '0')}`);
    await live().put(names.map((id, i) => write(id, 1, book('a', i % 3))));
    const seen: string[] = [];
    let after: ViewQuery['after'];
    for (let page = 0; page < 10; page++) {
      const found = await live().find('books', byShelf('a', { order, limit: 5, ...(after && { after }) }));
      seen.push(...ids(found));
      const last = found.at(-1);
      if (last === undefined) break;
      after = { sort: last.value['year'] as number, id: last.id };
      await live().put([write(`new${page}`, 1, book('a', order === 'ascending' ? -1 : 99))]);
    }
    expect(seen).toHaveLength(names.length);
    expect([...seen].sort()).toEqual(names);
  });

  test.each(['ascending', 'descending'] as const)(
    '%s pages by a unique index give every document once',
    async (order) => {
      const loan = (number: number) => ({ reader: number < 20 ? 'a' : 'b', number });
      const numbers = Array.from({ length: 30 }, (_, i) => i);
      await live().put(numbers.map((n) => ({ view: 'loans', id: `${99 - n}`, version: 1, value: loan(n) })));
      const byReader = { index: 'byReader', equals: ['a'], order, limit: 6 } as const;
      const seen: number[] = [];
      for (let after: ViewQuery['after']; ;) {
        const found = await live().find('loans', { ...byReader, ...(after && { after }) });
        seen.push(...found.map(({ value }) => value['number'] as number));
        const last = found.at(-1);
        if (last === undefined) break;
        after = { sort: last.value['number'] as number, id: last.id };
      }
      const expected = numbers.slice(0, 20);
      expect(seen).toEqual(order === 'ascending' ? expected : expected.reverse());
      const from = { ...byReader, order: 'ascending', after: { sort: 18, id: '' } } as const;
      expect((await live().find('loans', from)).map(({ value }) => value['number'])).toEqual([18, 19]);
    },
  );

  test.each(['ascending', 'descending'] as const)('%s places match the documents of a find', async (order) => {
    await live().put([3, 1, 2, 1, 10].map((year, i) => write(`b${i}`, 1, book('a', year, { title: `t${year}` }))));
    await live().put([write('other', 1, book('b', 1)), write('gone', 1, undefined)]);
    await live().put(
      [1, 2].map((number) => ({ view: 'loans', id: `l${number}`, version: 1, value: { reader: 'a', number } })),
    );
    const lists = [
      { view: 'books', field: 'year', index: 'byShelf', equals: ['a'] },
      { view: 'books', field: 'title', index: 'byTitle', equals: ['a', 'poetry'] },
      { view: 'books', field: 'year', index: 'byYear', equals: [] },
      { view: 'loans', field: 'number', index: 'byReader', equals: ['a'] },
    ];
    for (const { view, field, ...of } of lists) {
      for (let after: ViewQuery['after']; ;) {
        const query = { ...of, order, limit: 2, ...(after && { after }) };
        const found = await live().find(view, query);
        const places = found.map(({ id, value }) => ({ sort: value[field], id }));
        expect(await live().findKeys(view, query)).toEqual(places);
        after = (await live().findKeys(view, query)).at(-1);
        if (after === undefined) break;
      }
    }
  });

  test('a page continues after a document that was removed', async () => {
    await live().put([1, 2, 3].map((year) => write(`y${year}`, 1, book('a', year))));
    const after = { sort: 2, id: 'y2' };
    await live().put([write('y2', 2, undefined)]);
    expect(ids(await live().find('books', byShelf('a', { after })))).toEqual(['y3']);
    expect(ids(await live().find('books', byShelf('a', { after, order: 'descending' })))).toEqual(['y1']);
  });

  test('a query that the view cannot answer is a plain error', async () => {
    await expect(live().find('books', byShelf('a', { index: 'byColour' }))).rejects.toThrow(/byColour/);
    await expect(live().find('books', byShelf('a', { equals: [] }))).rejects.toThrow(/byShelf/);
    await expect(live().find('books', byShelf('a', { limit: 0 }))).rejects.toThrow(/limit/);
    await expect(live().find('books', byShelf('a', { limit: 1001 }))).rejects.toThrow(/limit/);
    await expect(live().findKeys('books', byShelf('a', { limit: 1001 }))).rejects.toThrow(/limit/);
    await expect(live().count('books', { index: 'byShelf', equals: ['a', 'b'] })).rejects.toThrow(/byShelf/);
  });

  test('after any writes, find and count follow the highest versions', async () => {
    const step = fc.record({
      id: fc.constantFrom('p', 'q', 'r', 's'),
      version: fc.nat(30),
      shelf: fc.constantFrom('a', 'b'),
      gone: fc.boolean(),
    });
    let trial = 0;
    const property = fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), async (puts) => {
      const prefix = `${trial++}-`;
      const best = new Map<string, { version: number; shelf: string; gone: boolean }>();
      for (const steps of puts) {
        const writes = steps.map((s) =>
          write(prefix + s.id, s.version, s.gone ? undefined : book(prefix + s.shelf, 1)),
        );
        for (const s of steps) if (s.version > (best.get(s.id)?.version ?? -1)) best.set(s.id, s);
        await live().put(writes);
      }
      for (const shelf of ['a', 'b']) {
        const expected = [...best].filter(([, s]) => s.shelf === shelf && !s.gone).map(([id]) => prefix + id);
        expect(ids(await live().find('books', byShelf(prefix + shelf)))).toEqual(expected.sort());
        expect(await live().count('books', byShelf(prefix + shelf))).toBe(expected.length);
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
}
