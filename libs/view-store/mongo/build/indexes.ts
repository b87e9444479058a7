// Creates the collections of a build and their declared indexes, when it begins and, idempotently, at each start.
import type { Db, IndexDescription } from 'mongodb';
import type { IndexPlan, ViewPlan } from '../../catalog.ts';
import { collectionOf, fieldPath } from '../collection-names.ts';

/**
 * A bulk of a former owner can arrive late: for as long as that process is suspended, or a broken network
 * delays the bulk. A day outlasts a machine that is suspended overnight, and keeps few tombstones compared with the
 * data.
 */
const tombstoneTtlS = 24 * 60 * 60;
/** Indexes only fading tombstones, which the server itself removes. */
const tombstoneTtlIndex: IndexDescription = {
  name: 'fading',
  key: { removedAt: 1 },
  sparse: true,
  expireAfterSeconds: tombstoneTtlS,
};

/** Ties are broken by id, so the next page continues within the index. */
const keyOf = ({ matched, sort }: IndexPlan): Record<string, 1> =>
  Object.fromEntries([...matched.map(fieldPath), fieldPath(sort), '_id'].map((path) => [path, 1]));

export async function prepareBuild(database: Db, build: string, plans: ReadonlyMap<string, ViewPlan>): Promise<void> {
  for (const { name, indexes } of plans.values()) {
    const declared = indexes.map((index) => ({ name: index.name, key: keyOf(index) }));
    if (declared.length > 0)
      await database.collection(collectionOf(build, name)).createIndexes([...declared, tombstoneTtlIndex]);
  }
}
