import type { CountDocumentsOptions, Db, Filter } from 'mongodb';
import { planViews } from '../../catalog.ts';
import { definitions } from '../../contract/fixture.ts';
import type { StoredView } from '../collection-names.ts';
import { BuildReader, countMax } from './build-reader.ts';

test('counting stops at a million', async () => {
  const counted: (number | undefined)[] = [];
  const collection = {
    countDocuments: async (_: Filter<StoredView>, options?: CountDocumentsOptions) => {
      counted.push(options?.limit);
      return options?.limit ?? Infinity;
    },
  };
  const database = { collection: () => collection } as unknown as Db;
  const reader = new BuildReader(database, 'build', planViews(definitions));
  expect(await reader.count('books', { index: 'byShelf', equals: ['a'] })).toBe(countMax);
  expect(counted).toEqual([1_000_000]);
});
