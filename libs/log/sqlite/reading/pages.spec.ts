import Database from 'better-sqlite3';
import { topicNames } from '../../../domain/flow.ts';
import { addMissing, createSchema } from '../schema.ts';
import { selectOf } from './pages.ts';

let db: Database.Database;
beforeEach(() => {
  db = new Database(':memory:');
  createSchema(db, 4);
});
afterEach(() => db.close());

const planOf = (sql: string): string =>
  (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ partition: 1, from: 0, recordsMax: 1 }) as { detail: string }[])
    .map(({ detail }) => detail)
    .join('; ');

test.each(topicNames.filter((topic) => !topic.startsWith('marks.')))(
  'a page of %s is read through an index, however long the partition is',
  (topic) => {
    expect(planOf(selectOf(topic))).toMatch(/^SEARCH .*(offset|rowid)>\?\)$/);
  },
);

test('opening a log adds the order index of its compacted topics if it is missing', () => {
  db.exec('DROP INDEX "state.order"');
  addMissing(db);
  expect(planOf(selectOf('state'))).toContain('state.order');
});
