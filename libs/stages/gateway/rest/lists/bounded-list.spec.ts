import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { BoundedList } from './bounded-list.ts';
import type { PagedList, PageQuery } from './paged-list.ts';
import { pageBytesMax } from './page-bytes.ts';

const KiB = 1024;

/** Documents by their place; notes how many bytes each read has taken. */
class Numbers implements PagedList {
  readonly read: number[] = [];
  readonly #bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    this.#bytes = bytes;
  }

  count(): Promise<number> {
    return Promise.resolve(this.#bytes.length);
  }

  find({ after, limit }: PageQuery): Promise<readonly ViewDocument[]> {
    const from = after === undefined ? 0 : Number(after.sort) + 1;
    const documents = this.#bytes.slice(from, from + limit).map((bytes, at) => ({
      id: `${from + at}`,
      version: from + at,
      value: { text: 'x'.repeat(bytes) },
    }));
    this.read.push(documents.reduce((sum, { value }) => sum + value.text.length, 0));
    return Promise.resolve(documents);
  }
}

const positionOf = ({ id, version }: ViewDocument) => ({ sort: version, id });

async function pages(pagedList: PagedList, limit: number, reduce?: (document: ViewDocument) => ViewDocument) {
  const list = new BoundedList({ list: pagedList, positionOf, ...(reduce === undefined ? {} : { kept: reduce }) });
  const allPages: string[][] = [];
  for (let last: ViewDocument | undefined; ;) {
    const after = last === undefined ? {} : { after: positionOf(last) };
    const documents = await list.find({ order: 'ascending', limit, ...after });
    if (documents.length === 0) return allPages;
    allPages.push(documents.map(({ id }) => id));
    last = documents.at(-1);
  }
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`);

test.each([
  ['small records', 250, 100, 1],
  ['records of 512 KiB', 100, 8, 512 * KiB],
  ['records larger than a page', 5, 1, pageBytesMax + 1],
])('pages of %s hold each of them once', async (_name, count, most, bytes) => {
  const all = await pages(new Numbers(Array.from({ length: count }, () => bytes)), 100);
  expect(all.flat()).toEqual(ids(count));
  expect(Math.max(...all.map(({ length }) => length))).toBe(most);
});

test('a page ends with its limit or with the record that fills it', async () => {
  const mixed = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? 700 * KiB : KiB));
  const all = await pages(new Numbers(mixed), 25);
  expect(all.flat()).toEqual(ids(60));
  for (const page of all.slice(0, -1)) {
    const bytes = page.map((id) => mixed[Number(id)] ?? 0);
    const before = bytes.slice(0, -1).reduce((sum, one) => sum + one, 0);
    expect(before).toBeLessThan(pageBytesMax);
    expect(page.length === 25 || before + (bytes.at(-1) ?? 0) > pageBytesMax - 25 * KiB).toBe(true);
  }
});

test('no more is read than a page can need, even if large records come after small ones', async () => {
  const large = new Numbers(Array.from({ length: 100 }, () => 512 * KiB));
  await new BoundedList({ list: large, positionOf }).find({ order: 'ascending', limit: 100 });
  expect(large.read).toEqual([10 * 512 * KiB]);
  const largeAfterSmall = new Numbers(Array.from({ length: 100 }, (_, n) => (n < 10 ? 1 : 512 * KiB)));
  await new BoundedList({ list: largeAfterSmall, positionOf }).find({ order: 'ascending', limit: 100 });
  expect(Math.max(...largeAfterSmall.read)).toBeLessThanOrEqual(30 * 512 * KiB);
});

test('the part of a record that is not kept does not count', async () => {
  const large = new Numbers(Array.from({ length: 100 }, () => 512 * KiB));
  const all = await pages(large, 100, ({ id, version }) => ({ id, version, value: {} }));
  expect(all.map(({ length }) => length)).toEqual([100]);
});
