// Each list of the product is read through its own index, in order: a page costs as much as it shows, in any list.
import Database from 'better-sqlite3';
import { viewDefinitions } from '../../../domain/views/index.ts';
import { planViews } from '../../catalog.ts';
import { rangeOf, selectPage, selectKeys } from './ranges.ts';
import { createBuild } from './schema.ts';

const plans = planViews(viewDefinitions);
const lists = [...plans.values()].flatMap(({ name: view, indexes }) =>
  indexes.filter(({ matched }) => matched.length > 0).map(({ name: index, matched }) => ({ view, index, matched })),
);

const database = new Database(':memory:');
database.exec('CREATE TABLE builds (name INTEGER PRIMARY KEY, live INTEGER, definitions TEXT, checkpoint TEXT)');
const build = createBuild(database, plans.values(), viewDefinitions);
afterAll(() => database.close());

const planOf = (sql: string, values: readonly unknown[]): string =>
  (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[])
    .map(({ detail }) => detail)
    .join('; ');

test.each(lists)('pages and ranges of $view $index', ({ view, index, matched }) => {
  const equals = matched.map(() => 'x');
  const own = new RegExp(
    `^SEARCH ${build}/${view} USING (COVERING )?INDEX ${build}/${view}/${index} \\(g_${index}=\\?`,
  );
  const list = rangeOf(build, plans, view, { index, equals });
  for (const order of ['ascending', 'descending'] as const) {
    const places = planOf(selectKeys(list, { index, equals, order }), [...list.values, 1]);
    expect(/^SEARCH \S+ USING COVERING INDEX/.test(places)).toBe(!list.isUnique);
    const pages = [
      places,
      planOf(selectPage(list, { index, equals, order }), [...list.values, 1]),
      planOf(selectPage(list, { index, equals, order, after: { sort: 1, id: '' } }), [...list.values, 1, '', 1]),
    ];
    for (const plan of pages) {
      expect(plan).toMatch(own);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  }
  const part = rangeOf(build, plans, view, { index, equals, from: 1, to: 2 });
  expect(planOf(`SELECT 1 FROM ${part.table} WHERE ${part.conditions}`, part.values)).toMatch(own);
});
