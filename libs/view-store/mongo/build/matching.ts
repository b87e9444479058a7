// Makes the filter of a query: it finds no tombstones, and needs only what the index holds.
import type { Filter } from 'mongodb';
import { indexOf, type ViewPlan } from '../../catalog.ts';
import type { ViewCount } from '../../view-store.ts';
import { fieldPath, type StoredView } from '../collection-names.ts';

/**
 * Tombstones have no fields, so any equality or bound leaves them out. Only without these is `$ne: null` needed, which
 * costs more: with it the server visits every document that it counts, without it the keys of the index.
 */
export function matching(view: ViewPlan, query: ViewCount): Filter<StoredView> {
  const { matched, sort } = indexOf(view, query);
  const { equals, from, to } = query;
  const fields = matched.map((field, i) => [fieldPath(field), { $eq: equals[i] }] as const);
  const bounds = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const isFound = fields.length > 0 || Object.keys(bounds).length > 0;
  const place = isFound ? bounds : { $ne: null };
  const places = Object.keys(place).length > 0 ? [[fieldPath(sort), place] as const] : [];
  return Object.fromEntries([...fields, ...places]) as Filter<StoredView>;
}
