// A failed transaction leaves nothing, and groups exist as long as their documents.
import Database from 'better-sqlite3';
import { planViews } from '../../catalog.ts';
import { BuildReader } from '../build-reader.ts';
import { createBuild } from '../tables/schema.ts';
import { BuildWriter, type Row } from './build-writer.ts';

const definitions = [{ name: 'books', indexes: { byShelf: ['shelf', 'year'], byYear: ['year'] } }];
const plans = planViews(definitions);

function makeWriter() {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE builds (name INTEGER PRIMARY KEY, live INTEGER, definitions TEXT, checkpoint TEXT)');
  const build = createBuild(database, plans.values(), definitions);
  const groups = (): unknown => database.prepare(`SELECT name, documents FROM "${build}/groups"`).raw().all();
  return {
    writer: new BuildWriter(database, build, plans),
    reader: new BuildReader(database, build, plans),
    groups,
  };
}

const row = (id: string, version: number, shelf: string, view = 'books'): Row => ({
  view,
  id,
  version,
  isNew: version === 1,
  text: JSON.stringify({ shelf, year: version }),
  fields: [shelf, version],
});

const byShelf = { index: 'byShelf', equals: ['a'] };

test('a document of a failed transaction is written again by the next one', () => {
  const { writer, reader, groups } = makeWriter();
  expect(() => writer.put([row('x', 1, 'a'), row('y', 1, 'a', 'films')])).toThrow(/films/);
  expect(groups()).toEqual([]);
  writer.put([row('x', 1, 'a')]);
  expect(reader.find('books', { ...byShelf, order: 'ascending', limit: 10 }).map((read) => read().id)).toEqual(['x']);
  expect(reader.count('books', byShelf)).toBe(1);
});

test('a group exists as long as one of its documents, and can get others again after that', () => {
  const { writer, reader, groups } = makeWriter();
  writer.put([row('x', 1, 'a'), row('y', 1, 'b')]);
  writer.put([row('x', 2, 'b')]);
  expect(groups()).toEqual([
    ['["books","byYear"]', 2],
    ['["books","byShelf","b"]', 2],
  ]);
  writer.put([row('y', 2, 'a')]);
  expect([reader.count('books', byShelf), reader.highest('books', byShelf)]).toEqual([1, 2]);
  writer.remove('books', { index: 'byYear', equals: [], belowVersion: 9, leaves: 'tombstones' }, 10);
  expect(groups()).toEqual([]);
});

test('a document that is not newer adds no group', () => {
  const { writer, groups } = makeWriter();
  writer.put([row('x', 2, 'a')]);
  const before = groups();
  writer.put([row('x', 1, 'c'), { ...row('x', 2, 'd'), isNew: true }]);
  expect(groups()).toEqual(before);
});
