// Builds the SQL that finds the documents of an index: by the number of their group, and a range of the sort field.
import { indexOf, viewOf, type ViewPlan } from '../../catalog.ts';
import type { ViewCount, ViewQuery } from '../../view-store.ts';
import { columnOf, groupColumnOf, groupOf, groupsOf, tableOf } from './schema.ts';

export interface Range {
  readonly table: string;
  /** The column of the sort field. */
  readonly sort: string;
  readonly isUnique: boolean;
  /** SQL with a parameter for each of `values`. */
  readonly conditions: string;
  readonly values: readonly (string | number)[];
}

/** Tombstones have no index values, so a condition on the sort field excludes them within the index. */
export function rangeOf(
  build: string,
  plans: ReadonlyMap<string, ViewPlan>,
  view: string,
  { from, to, ...group }: ViewCount,
): Range {
  const plan = viewOf(plans, view);
  const index = indexOf(plan, group);
  const sort = columnOf(index.sort);
  const conditions = [`${sort} IS NOT NULL`];
  const values: (string | number)[] = [];
  if (index.matched.length > 0) {
    conditions.push(`${groupColumnOf(index)} = (SELECT number FROM ${groupsOf(build)} WHERE name = ?)`);
    values.push(groupOf(plan.name, index, group.equals));
  }
  for (const [bound, value] of [[`${sort} >= ?`, from] as const, [`${sort} < ?`, to] as const]) {
    if (value === undefined) continue;
    conditions.push(bound);
    values.push(value);
  }
  return {
    table: tableOf(build, plan.name),
    sort,
    isUnique: index.isUnique,
    conditions: conditions.join(' AND '),
    values,
  };
}

type Page = Omit<ViewQuery, 'limit'>;

/** Selects a page of documents in order; the parameters are the range's values, those of `after`, and the limit. */
export const selectPage = (range: Range, page: Page): string => select('id, version, value', range, page);

/** As `selectPage`, only the sort values and ids, which an index with ties contains. */
export const selectKeys = (range: Range, page: Page): string => select(`${range.sort}, id`, range, page);

function select(columns: string, { table, sort, isUnique, conditions }: Range, { order, after }: Page): string {
  const [comparison, direction] = order === 'ascending' ? ['>', 'ASC'] : ['<', 'DESC'];
  const afterCondition = after === undefined ? '' : `AND (${sort}, id) ${comparison} (?, ?)`;
  const byId = isUnique ? '' : `, id ${direction}`;
  return `SELECT ${columns} FROM ${table}
    WHERE ${conditions} ${afterCondition} ORDER BY ${sort} ${direction} ${byId} LIMIT ?`;
}
