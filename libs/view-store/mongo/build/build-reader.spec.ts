import { MongoServerError, type CountDocumentsOptions, type Db, type Filter } from 'mongodb';
import { planViews } from '../../catalog.ts';
import { definitions } from '../../contract/fixture.ts';
import type { ViewCount } from '../../view-store.ts';
import type { StoredView } from '../collection-names.ts';
import { BuildReader, countMax, countMs } from './build-reader.ts';

/** Counts up to the limit of a call; if it is `slow`, aborts calls that have a time limit. */
function reading({ slow = false } = {}) {
  const calls: (CountDocumentsOptions | undefined)[] = [];
  const filters: Filter<StoredView>[] = [];
  const collection = {
    countDocuments: async (filter: Filter<StoredView>, options?: CountDocumentsOptions) => {
      filters.push(filter);
      calls.push(options);
      if (slow && options?.maxTimeMS !== undefined) throw new MongoServerError({ message: 'time is over', code: 50 });
      return options?.limit ?? Infinity;
    },
  };
  const database = { collection: () => collection } as unknown as Db;
  const reader = new BuildReader(database, 'build', planViews(definitions));
  return { count: (query: ViewCount) => reader.count('books', query), asked: calls, filters };
}

const onShelf: ViewCount = { index: 'byShelf', equals: ['a'] };

test('counting stops at a million, and after two seconds', async () => {
  const { count, asked } = reading();
  expect(await count(onShelf)).toBe(countMax);
  expect(asked).toEqual([{ limit: 1_000_000, maxTimeMS: 2_000 }]);
});

test('a server that cannot count a million in time counts 10,000', async () => {
  const { count, asked } = reading({ slow: true });
  expect(await count(onShelf)).toBe(10_000);
  expect(asked).toEqual([{ limit: countMax, maxTimeMS: countMs }, { limit: 10_000 }]);
});

test('counts use only what the index holds, so that no document is visited', async () => {
  const { count, filters } = reading();
  await count(onShelf);
  await count({ ...onShelf, from: 1990, to: 2000 });
  await count({ index: 'byYear', equals: [], from: 1990 });
  await count({ index: 'byYear', equals: [] });
  expect(filters).toEqual([
    { 'fields.shelf': { $eq: 'a' } },
    { 'fields.shelf': { $eq: 'a' }, 'fields.year': { $gte: 1990, $lt: 2000 } },
    { 'fields.year': { $gte: 1990 } },
    { 'fields.year': { $ne: null } },
  ]);
});
