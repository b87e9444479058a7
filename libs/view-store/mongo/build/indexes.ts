// The collections of a build and their declared indexes, created when it begins and, idempotently, at each start.
import type { Db } from 'mongodb';
import type { IndexPlan, ViewPlan } from '../../catalog.ts';
import { collectionOf, fieldPath } from '../collection-names.ts';

/** Ties are broken by id, so the next page continues within the index. */
const keyOf = ({ matched, sort }: IndexPlan): Record<string, 1> =>
  Object.fromEntries([...matched.map(fieldPath), fieldPath(sort), '_id'].map((path) => [path, 1]));

export async function prepareBuild(database: Db, build: string, plans: ReadonlyMap<string, ViewPlan>): Promise<void> {
  for (const { name, indexes } of plans.values()) {
    const declared = indexes.map((index) => ({ name: index.name, key: keyOf(index) }));
    if (declared.length > 0) await database.collection(collectionOf(build, name)).createIndexes(declared);
  }
}
