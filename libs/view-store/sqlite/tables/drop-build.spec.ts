// A build is dropped in steps, each of which leaves the rest to a later one, and other builds untouched.
import Database from 'better-sqlite3';
import { planViews } from '../../catalog.ts';
import { dropPartially } from './drop-build.ts';
import { addHeldColumn, createBuild, groupsOf, listBuilds, tableOf } from './schema.ts';

const definitions = [
  { name: 'books', indexes: { byShelf: ['shelf', 'year'], byYear: ['year'] } },
  { name: 'readers', indexes: { byName: ['name'] } },
];
const rows = 200;
/** The least that one step does. */
const rowsAtOnce = 20;

function makeBuilds() {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE builds (name INTEGER PRIMARY KEY, live INTEGER, definitions TEXT, checkpoint TEXT)');
  addHeldColumn(database);
  const [old, live] = [1, 2].map(() => createBuild(database, planViews(definitions).values(), definitions)) as [
    string,
    string,
  ];
  for (const build of [old, live]) {
    const insert = database.prepare(`INSERT INTO ${tableOf(build, 'books')} (id, version, value) VALUES (?, 1, ?)`);
    for (let i = 0; i < rows; i++) insert.run(`${i}`, 'x'.repeat(2_000));
  }
  const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  const tablesOf = (build: string): unknown =>
    database.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE ?`).pluck().all(`${build}/%`);
  const freePages = (): number => database.pragma('freelist_count', { simple: true }) as number;
  return { database, old, live, count, tablesOf, freePages };
}

test('each step removes some documents, until nothing is left and the space is free', () => {
  const { database, old, live, count, tablesOf, freePages } = makeBuilds();
  for (let left = rows - rowsAtOnce; left >= 0; left -= rowsAtOnce) {
    expect(dropPartially(database, old, () => false)).toBe(true);
    expect(count(tableOf(old, 'books'))).toBe(left);
    expect(listBuilds(database).map(({ name }) => name)).toEqual([old, live]);
  }
  expect(dropPartially(database, old, () => false)).toBe(false);
  expect(tablesOf(old)).toEqual([]);
  expect(listBuilds(database).map(({ name }) => name)).toEqual([live]);
  expect(count(tableOf(live, 'books'))).toBe(rows);
  const pages = database.pragma('page_count', { simple: true }) as number;
  expect(freePages()).toBeGreaterThan(pages * 0.45);
});

test('a step continues for as long as it may, and drops empty tables', () => {
  const { database, old, tablesOf } = makeBuilds();
  let looks = 0;
  expect(dropPartially(database, old, () => ++looks < 5)).toBe(true);
  expect(dropPartially(database, old, () => true)).toBe(false);
  expect(tablesOf(old)).toEqual([]);
});

test('a build of an earlier layout, with counts without row ids, is dropped', () => {
  const { database, old, tablesOf } = makeBuilds();
  database.exec(`DROP TABLE ${groupsOf(old)}`);
  database.exec(`CREATE TABLE "${old}/counts" (name TEXT PRIMARY KEY NOT NULL, documents INTEGER) WITHOUT ROWID`);
  database.exec(`INSERT INTO "${old}/counts" VALUES ('a', 1)`);
  expect(dropPartially(database, old, () => true)).toBe(false);
  expect(tablesOf(old)).toEqual([]);
});
