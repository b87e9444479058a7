// Builds the filter of an index query: it excludes tombstones, and can be evaluated within the index.
import type { Filter } from 'mongodb';
import { indexOf, type ViewPlan } from '../../catalog.ts';
import type { ViewCount } from '../../view-store.ts';
import { fieldPath, type StoredView } from '../collection-names.ts';

/**
 * Tombstones have no fields, so any equality or bound excludes them. Only a query without these needs `$ne: null`,
 * which costs more: with it the server visits every document that it counts, without it the keys of the index.
 */
export function indexFilterOf(view: ViewPlan, query: ViewCount): Filter<StoredView> {
  const { matched, sort } = indexOf(view, query);
  const { equals, from, to } = query;
  const fields = matched.map((field, i) => [fieldPath(field), { $eq: equals[i] }] as const);
  const bounds = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const isFound = fields.length > 0 || Object.keys(bounds).length > 0;
  const sortCondition = isFound ? bounds : { $ne: null };
  const sortEntries = Object.keys(sortCondition).length > 0 ? [[fieldPath(sort), sortCondition] as const] : [];
  return Object.fromEntries([...fields, ...sortEntries]) as Filter<StoredView>;
}
