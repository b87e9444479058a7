// The contract, part one: documents are put if newer, and are read back unchanged.
import { documentsMax } from '../catalog.ts';
import type { ViewValue } from '../view-store.ts';
import { book, eachOpened, everything, write, type OpenViewStore } from './fixture.ts';

const strange: ViewValue = {
  zebra: 1,
  apple: [null, true, -0.5, 1e300, 'ünï \u{1F600} \u0000 \ud800', { $set: { 'a.b': 1, '': 2, $ref: 3 } }],
  ...(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as ViewValue),
};

export function promiseDocuments(open: OpenViewStore): void {
  const opened = eachOpened(open);
  const live = () => opened().store.live();

  test('a document is read back as it was put, with its keys in order', async () => {
    const value = book('a', 1, strange);
    await live().put([write('x', 7, value)]);
    const found = await live().get('books', 'x');
    expect(found).toEqual({ id: 'x', version: 7, value });
    expect(JSON.stringify(found?.value)).toBe(JSON.stringify(value));
  });

  test('ids may be any text and are compared byte by byte', async () => {
    const odd = ['', 'a', 'A', 'a ', 'ä', 'a\u0308', '\u{1F600}', "'", '"', '$x.y/z', '%', 'a\u0000b'];
    await live().put(odd.map((id, i) => write(id, 1, book('a', i))));
    const found = await live().getMany('books', odd);
    expect(found.map((document) => document?.value['year'])).toEqual(odd.map((_, i) => i));
  });

  test('a document of 1 MiB is read back', async () => {
    const value = book('a', 1, { text: 'é'.repeat(512 * 1024) });
    await live().put([write('big', 1, value)]);
    expect((await live().get('books', 'big'))?.value).toEqual(value);
  });

  test('a missing document is undefined, also among several', async () => {
    await live().put([write('b', 1, book('a', 1)), write('d', 1, undefined)]);
    expect(await live().get('books', 'a')).toBeUndefined();
    expect(await live().get('books', 'd')).toBeUndefined();
    expect(await live().get('readers', 'b')).toBeUndefined();
    const several = await live().getMany('books', ['d', 'b', 'a', 'b']);
    expect(several.map((document) => document?.id)).toEqual([undefined, 'b', undefined, 'b']);
    expect(await live().getMany('books', [])).toEqual([]);
  });

  test('the highest version wins, in any order and with repetitions', async () => {
    const older = write('x', 2, book('a', 2));
    const newer = write('x', 10, book('a', 10));
    await live().put([newer, older]);
    await live().put([older]);
    await live().put([write('x', 10, book('a', 99))]);
    expect(await live().get('books', 'x')).toEqual({ id: 'x', version: 10, value: newer.value });
  });

  test('a hint that a document is new does not change the result, right or wrong', async () => {
    const hinted = (version: number) => ({ ...write('x', version, book('a', version)), isNew: true });
    for (const version of [5, 5, 3, 7]) await live().put([hinted(version)]);
    await live().put([write('y', 1, book('a', 1)), hinted(6)]);
    expect(await live().get('books', 'x')).toEqual({ id: 'x', version: 7, value: book('a', 7) });
    await live().put([{ ...write('x', 9, undefined), isNew: true }, hinted(8)]);
    await live().put([hinted(8)]);
    expect(await live().get('books', 'x')).toBeUndefined();
    expect((await live().get('books', 'y'))?.version).toBe(1);
  });

  test('several versions of one document in one put leave the highest', async () => {
    await live().put([3, 1, 5, 2, 5, 4].map((version) => write('x', version, book('a', version))));
    expect((await live().get('books', 'x'))?.version).toBe(5);
  });

  test('a document may have version 0', async () => {
    await live().put([write('x', 0, book('a', 1))]);
    expect((await live().get('books', 'x'))?.version).toBe(0);
  });

  test('a tombstone hides the document, and older versions cannot undo it', async () => {
    await live().put([write('x', 1, book('a', 1))]);
    await live().put([write('x', 3, undefined)]);
    await live().put([write('x', 2, book('a', 2)), write('x', 3, book('a', 3))]);
    expect(await live().get('books', 'x')).toBeUndefined();
    expect(await live().find('books', { index: 'byYear', equals: [], order: 'ascending', limit: 10 })).toEqual([]);
    await live().put([write('x', 4, book('a', 4))]);
    expect((await live().get('books', 'x'))?.version).toBe(4);
  });

  test('a tombstone that comes before its document still wins', async () => {
    await live().put([write('x', 3, undefined)]);
    await live().put([write('x', 1, book('a', 1))]);
    expect(await live().get('books', 'x')).toBeUndefined();
  });

  test('a put may hold more documents than a page', async () => {
    const count = documentsMax * 2 + 1;
    await live().put(Array.from({ length: count }, (_, i) => write(`${i}`, 1, book('a', i))));
    expect(await live().count('books', { index: 'byShelf', equals: ['a'] })).toBe(count);
    expect(await everything(live())).toHaveLength(count);
  });

  test('an empty put changes nothing', async () => {
    await live().put([]);
    expect(await everything(live())).toEqual([]);
  });

  test('all() yields every document in binary order of ids, without tombstones', async () => {
    await live().put(['b', 'a', 'B', '\u{1F600}', '\uffee', 'dead'].map((id) => write(id, 1, book('a', 1))));
    await live().put([write('dead', 2, undefined), { view: 'readers', id: 'r', version: 1, value: { name: 'n' } }]);
    expect((await everything(live())).map(({ id }) => id)).toEqual(['B', 'a', 'b', '\uffee', '\u{1F600}']);
  });

  test('changing an object after it was put or read does not change the stored document', async () => {
    const value = { shelf: 'a', year: 1, genre: 'g', title: 't', tags: ['x'] };
    await live().put([write('x', 1, value)]);
    value.tags.push('y');
    const first = await live().get('books', 'x');
    (first?.value['tags'] as string[] | undefined)?.push('z');
    expect((await live().get('books', 'x'))?.value['tags']).toEqual(['x']);
  });

  test('a document without its indexed fields is refused, and nothing of that put is written', async () => {
    const good = write('good', 1, book('a', 1));
    for (const bad of [{ shelf: 'a', year: 1 }, book('a', Number.NaN), book('a', 1, { title: null })]) {
      await expect(live().put([good, write('bad', 1, bad)])).rejects.toThrow(/indexed field/);
    }
    expect(await live().get('books', 'good')).toBeUndefined();
  });

  test('a view that was not declared is refused by name', async () => {
    await expect(live().get('films', 'x')).rejects.toThrow(/films/);
    await expect(live().put([{ view: 'films', id: 'x', version: 1, value: {} }])).rejects.toThrow(/films/);
  });

  test('getMany() accepts a bounded number of ids', async () => {
    const tooMany = Array.from({ length: documentsMax + 1 }, (_, i) => `${i}`);
    await expect(live().getMany('books', tooMany)).rejects.toThrow(/1000/);
    expect(await live().getMany('books', tooMany.slice(1))).toHaveLength(documentsMax);
  });
}
