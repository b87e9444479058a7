import { PortError } from '../../../domain/port-error.ts';
import type { TopicRows } from '../rows/rows.ts';
import { LogFile } from './fixture.fake.ts';
import { Packing } from './packing.ts';
import { Trimming } from './trimming.ts';

let log: LogFile;
beforeEach(() => {
  log = new LogFile();
});
afterEach(() => log.remove());

/** Appends some hundred KiB to each of two partitions, alternately. */
function fill(): void {
  for (let i = 0; i < 60; i++) {
    log.append('channels', 1, 1 + (i % 4), 900);
    log.append('channels', 2, 3, 2_000);
  }
}

test('packed records are read unchanged, as a whole and from every offset, and are stored in fewer rows', () => {
  fill();
  const before = [1, 2].map((partition) => log.read('channels', partition));
  const rows = log.rows('channels');
  expect(log.runChore(new Packing(log.db, 4))).toBeGreaterThan(2);
  expect(log.rows('channels')).toBeLessThan(rows / 2);
  expect([1, 2].map((partition) => log.read('channels', partition))).toEqual(before);
  for (const [i, record] of (before[0] ?? []).entries()) {
    expect(log.read('channels', 1, record.offset).map(({ id }) => id)).toEqual(before[0]?.slice(i).map(({ id }) => id));
    expect(log.read('channels', 1, record.offset + 1)[0]?.id).toBe(before[0]?.[i + 1]?.id);
  }
});

test('a large append is packed at once, and can be read as a whole and from every offset', () => {
  log.append('channels', 1, 2, 500);
  log.append('channels', 1, 1_000, 900);
  log.append('channels', 1, 2, 500);
  const records = log.read('channels', 1);
  expect(new Set(records.map(({ id }) => id)).size).toBe(1_004);
  expect(log.packs('channels')).toBe(7);
  expect(log.rows('channels')).toBeLessThan(20);
  for (let at = 0; at < records.length; at += 37)
    expect(log.read('channels', 1, records[at]?.offset)[0]).toEqual(records[at]);
});

test('rows between large appends are packed on their own, and nothing is packed twice', () => {
  for (let times = 0; times < 3; times++) {
    log.append('channels', 1, 400, 900);
    log.append('channels', 2, 1, 500);
    log.append('channels', 1, 3, 500);
  }
  const before = [1, 2].map((partition) => log.read('channels', partition));
  const packing = new Packing(log.db, 4);
  log.runChore(packing);
  expect(log.rows('channels')).toBeLessThan(25);
  log.append('channels', 1, 400, 900);
  packing.countAppended([
    { topic: 'channels', rows: [{ partition: 1, key: null, count: 1, lines: 'x'.repeat(500_000) }] },
  ]);
  log.runChore(packing);
  const packs = log.packs('channels');
  expect(log.runChore(new Packing(log.db, 4))).toBe(0);
  expect(log.packs('channels')).toBe(packs);
  expect(log.read('channels', 1).slice(0, before[0]?.length)).toEqual(before[0]);
  expect(log.read('channels', 2)).toEqual(before[1]);
});

test('packing resumes after a restart, and packs nothing twice', () => {
  fill();
  log.runChore(new Packing(log.db, 4));
  const rows = log.rows('channels');
  expect(log.runChore(new Packing(log.db, 4))).toBe(0);
  fill();
  expect(log.runChore(new Packing(log.db, 4))).toBeGreaterThan(0);
  expect(log.read('channels', 1)).toHaveLength(300);
  expect(log.rows('channels')).toBeLessThan(rows + 60);
});

test('packing looks for rows again only once enough bytes were appended', () => {
  const packing = new Packing(log.db, 4);
  expect(log.runChore(packing)).toBe(0);
  fill();
  expect(log.runChore(packing)).toBe(0);
  const lines = 'x'.repeat(200 * 1024);
  const appended: TopicRows[] = [{ topic: 'channels', rows: [{ partition: 1, key: null, count: 1, lines }] }];
  packing.countAppended(appended);
  expect(log.runChore(packing)).toBeGreaterThan(0);
});

test('compacted topics are not packed', () => {
  log.append('state', 1, 200, 2_000);
  const rows = log.rows('state');
  expect(log.runChore(new Packing(log.db, 4))).toBe(0);
  expect(log.rows('state')).toBe(rows);
});

test('a damaged pack is reported as an error, and never read as records', () => {
  fill();
  log.runChore(new Packing(log.db, 4));
  log.db.exec(`UPDATE channels SET lines = substr(lines, 1, 500) WHERE typeof(lines) = 'blob'`);
  expect(() => log.read('channels', 1)).toThrow(PortError);
});

test('a pack is removed once all its records were trimmed; the newest row is kept, so that the end stays known', () => {
  for (let times = 0; times < 3; times++) fill();
  log.runChore(new Packing(log.db, 4));
  const records = log.read('channels', 1);
  const middle = records[Math.floor(records.length / 2)]?.offset ?? NaN;
  const trimming = new Trimming(log.db);
  log.trim('channels', 1, middle);
  log.runChore(trimming);
  const left = log.read('channels', 1);
  expect(left.length).toBeLessThan(records.length);
  expect(left.filter(({ offset }) => offset >= middle)).toEqual(records.filter(({ offset }) => offset >= middle));
  log.trim('channels', 1, (records.at(-1)?.offset ?? NaN) + 1);
  log.runChore(trimming);
  expect(log.read('channels', 1).at(-1)).toEqual(records.at(-1));
  expect(log.read('channels', 2)).toHaveLength(540);
});
