// Reads documents of one build, in bounded pages, without leaving a cursor open.
import type { Db, Filter, FindCursor } from 'mongodb';
import { PortError } from '../../../domain/port-error.ts';
import { mapInTurns } from '../../../primitives/event-loop/turn.ts';
import { checkCount, indexOf, rangeCountMax, viewOf, type ViewPlan } from '../../catalog.ts';
import type { ViewCount, ViewDocument, ViewGroup, ViewIndexKey, ViewQuery, ViewValue } from '../../view-store.ts';
import { collectionOf, fieldPath, type StoredView } from '../collection-names.ts';
import { isOutOfTime } from '../mongo-errors.ts';
import { indexFilterOf } from './index-filter.ts';

/**
 * To count, MongoDB visits each key of the index, for every page of a list. Without a bound, counting would one day
 * take longer than the connection's limit, and the list would always answer 503. Nobody pages that far by number.
 */
export const countMax = 1_000_000;
/** After this a slow or busy server counts only as many as in a range: a list is more important than its total. */
export const countMs = 2_000;

/** Excludes tombstones, which have no text. */
const notTombstone: Filter<StoredView> = { text: { $type: 'string' } };

export class BuildReader {
  readonly #database: Db;
  readonly #build: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;

  constructor(database: Db, build: string, plans: ReadonlyMap<string, ViewPlan>) {
    this.#database = database;
    this.#build = build;
    this.#plans = plans;
  }

  async get(view: string, id: string): Promise<ViewDocument | undefined> {
    const found = await this.#collection(view).findOne({ _id: id, ...notTombstone });
    return found === null ? undefined : this.#document(view, found);
  }

  async getMany(view: string, ids: readonly string[]): Promise<(ViewDocument | undefined)[]> {
    checkCount('getMany', ids.length, 0);
    const collection = this.#collection(view);
    if (ids.length === 0) return [];
    const found = await collection.find({ _id: { $in: [...new Set(ids)] }, ...notTombstone }).toArray();
    const byId = new Map(found.map((stored) => [stored._id, stored]));
    return await mapInTurns(ids, (id) => {
      const stored = byId.get(id);
      return stored && this.#document(view, stored);
    });
  }

  async find(view: string, query: ViewQuery): Promise<ViewDocument[]> {
    checkCount('limit', query.limit, 1);
    const found = await this.#cursor(view, query).toArray();
    return await mapInTurns(found, (stored) => this.#document(view, stored));
  }

  /** Reads only values that are in the index. */
  async places(view: string, query: ViewQuery): Promise<ViewIndexKey[]> {
    checkCount('limit', query.limit, 1);
    const { sort } = indexOf(viewOf(this.#plans, view), query);
    const found = await this.#cursor(view, query)
      .project<Pick<StoredView, '_id' | 'fields'>>({ _id: 1, [fieldPath(sort)]: 1 })
      .toArray();
    return found.flatMap(({ _id, fields }) => {
      const value = fields?.[sort];
      return value === undefined ? [] : [{ sort: value, id: _id }];
    });
  }

  async highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    const { sort } = indexOf(viewOf(this.#plans, view), query);
    const [highest] = await this.#collection(view)
      .find(this.#indexFilter(view, query), { projection: { _id: 0, [fieldPath(sort)]: 1 } })
      .sort({ [fieldPath(sort)]: -1, _id: -1 })
      .limit(1)
      .toArray();
    return highest?.fields?.[sort];
  }

  async count(view: string, query: ViewCount): Promise<number> {
    const isRange = query.from !== undefined || query.to !== undefined;
    const [collection, filter] = [this.#collection(view), this.#indexFilter(view, query)];
    const cappedOptions = { limit: rangeCountMax };
    if (isRange) return collection.countDocuments(filter, cappedOptions);
    try {
      return await collection.countDocuments(filter, { limit: countMax, maxTimeMS: countMs });
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
      return collection.countDocuments(filter, cappedOptions);
    }
  }

  /** Reads documents in id order, after `after`; undefined: from the first one. */
  async page(view: string, after: string | undefined, limit: number): Promise<ViewDocument[]> {
    const filter = after === undefined ? notTombstone : { _id: { $gt: after }, ...notTombstone };
    const found = await this.#collection(view).find(filter).sort({ _id: 1 }).limit(limit).toArray();
    return found.map((stored) => this.#document(view, stored));
  }

  #cursor(view: string, query: ViewQuery): FindCursor<StoredView> {
    const { sort } = indexOf(viewOf(this.#plans, view), query);
    const direction = query.order === 'ascending' ? 1 : -1;
    const filter = { ...this.#indexFilter(view, query), ...afterFilterOf(fieldPath(sort), query) };
    const order = { [fieldPath(sort)]: direction, _id: direction } as const;
    return this.#collection(view).find<StoredView>(filter).sort(order).limit(query.limit);
  }

  #indexFilter(view: string, query: ViewCount): Filter<StoredView> {
    return indexFilterOf(viewOf(this.#plans, view), query);
  }

  #collection(view: string) {
    return this.#database.collection<StoredView>(collectionOf(this.#build, viewOf(this.#plans, view).name));
  }

  #document(view: string, { _id, version, text }: StoredView): ViewDocument {
    try {
      return { id: _id, version: Number(version), value: JSON.parse(text ?? '') as ViewValue };
    } catch (error) {
      const problem = `Document ${_id} of view ${view} in MongoDB (${this.#database.databaseName}) is damaged`;
      const remedy = 'Drop the database and start again: the views are filled again from the log.';
      throw new PortError('corrupt', `${problem}. ${remedy}`, error);
    }
  }
}

/**
 * The filter for documents after a place. The first condition bounds only the sort field: the index scan starts there.
 */
function afterFilterOf(path: string, { after, order }: ViewQuery): Filter<StoredView> {
  if (after === undefined) return {};
  const [strictOperator, inclusiveOperator] = order === 'ascending' ? ['$gt', '$gte'] : ['$lt', '$lte'];
  return {
    [path]: { [inclusiveOperator]: after.sort },
    $or: [{ [path]: { [strictOperator]: after.sort } }, { [path]: after.sort, _id: { [strictOperator]: after.id } }],
  } as Filter<StoredView>;
}
