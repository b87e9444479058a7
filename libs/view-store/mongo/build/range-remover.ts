// Removes ranges of one build's documents in steps, so that no call outlasts the connection's limit.
import type { Db, Filter, UpdateFilter } from 'mongodb';
import { viewOf, type ViewPlan } from '../../catalog.ts';
import type { ViewRange } from '../../view-store.ts';
import { collectionOf, type StoredView } from '../collection-names.ts';
import { indexFilterOf } from './index-filter.ts';

/** As many as in a bulk of writes. */
const documentsPerStep = 500;

const toTombstone: UpdateFilter<StoredView> = { $unset: { text: '', fields: '' } };
/** Replaces documents by fading tombstones, with the time of the server, which removes them. */
const toFadingTombstone: UpdateFilter<StoredView> = { ...toTombstone, $currentDate: { removedAt: true } };

export class RangeRemover {
  readonly #database: Db;
  readonly #build: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;

  constructor(database: Db, build: string, plans: ReadonlyMap<string, ViewPlan>) {
    this.#database = database;
    this.#build = build;
    this.#plans = plans;
  }

  /**
   * The condition is sent with the ids, so that documents that were put in the meantime, with a higher version, stay.
   */
  async remove(view: string, range: ViewRange): Promise<void> {
    const plan = viewOf(this.#plans, view);
    const filter = filterOf(plan, range);
    const collection = this.#database.collection<StoredView>(collectionOf(this.#build, plan.name));
    for (;;) {
      const found = await collection
        .find(filter, { projection: { _id: 1 } })
        .limit(documentsPerStep)
        .toArray();
      if (found.length === 0) return;
      const batch = { $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, filter] };
      if (range.leaves === 'nothing') await collection.deleteMany(batch);
      else await collection.updateMany(batch, range.leaves === 'fading' ? toFadingTombstone : toTombstone);
    }
  }
}

const filterOf = (plan: ViewPlan, range: ViewRange): Filter<StoredView> =>
  ({ ...indexFilterOf(plan, range), version: { $lt: range.belowVersion } }) as Filter<StoredView>;
