import Database from 'better-sqlite3';
import { createSchema } from '../schema.ts';
import { TopicTables } from '../commit/transaction/topic-tables.ts';
import { Tombstones } from './tombstones.ts';

const minuteMs = 60_000;

let db: Database.Database;
let tables: TopicTables;
let tombstones: Tombstones;
beforeEach(() => {
  db = new Database(':memory:');
  createSchema(db, 4);
  tables = new TopicTables(db);
  tombstones = new Tombstones(db);
});
afterEach(() => db.close());

const save = (key: string, partition = 1): number =>
  tables.insert({ topic: 'state', rows: [{ partition, key, count: 1, lines: '{}' }] });
const erase = (key: string, partition = 1): number =>
  tables.insert({ topic: 'state', rows: [{ partition, key, count: 1, lines: '{}', isTombstone: true }] });
const keys = (): readonly unknown[] => db.prepare('SELECT key FROM state ORDER BY "offset"').pluck().all();
const noted = (): unknown => db.prepare('SELECT count(*) FROM tombstones').pluck().get();

test('a key erased a minute ago is removed with its tombstone; later tombstones are kept', () => {
  save('dc_1');
  erase('dc_1');
  erase('dc_2');
  tombstones.step(0);
  erase('dc_3');
  save('dc_4');
  expect(keys()).toEqual(['dc_1', 'dc_2', 'dc_3', 'dc_4']);
  expect(tombstones.step(minuteMs)).toBe(true);
  expect(keys()).toEqual(['dc_3', 'dc_4']);
  expect(tombstones.step(minuteMs * 2)).toBe(true);
  expect(keys()).toEqual(['dc_4']);
  expect(tombstones.step(minuteMs * 3)).toBe(false);
  expect(noted()).toBe(0);
});

test('the newest record of a partition is kept, so that its end never goes back', () => {
  erase('dc_1', 1);
  erase('dc_2', 2);
  for (const minute of [0, 1, 2]) tombstones.step(minuteMs * minute);
  expect(keys()).toEqual(['dc_1', 'dc_2']);
  save('dc_3', 1);
  expect(tombstones.step(minuteMs * 3)).toBe(true);
  expect(keys()).toEqual(['dc_2', 'dc_3']);
});

test('a key that is used again after its erasure is kept', () => {
  erase('dc_1');
  save('dc_1');
  for (const minute of [0, 1, 2]) tombstones.step(minuteMs * minute);
  expect(keys()).toEqual(['dc_1']);
  expect(noted()).toBe(0);
});

test('thousands of tombstones are removed in steps', () => {
  for (let i = 0; i < 1_000; i++) erase(`dc_${i}`);
  save('dc_last');
  tombstones.step(0);
  expect(tombstones.step(minuteMs)).toBe(true);
  expect(keys().length).toBeGreaterThan(700);
  while (tombstones.step(minuteMs));
  expect(keys()).toEqual(['dc_last']);
});
