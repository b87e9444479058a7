import { statSync } from 'node:fs';
import { LogFile } from './fixture.fake.ts';
import { Shrinking } from './shrinking.ts';
import { Trimming } from './trimming.ts';

const MiB = 1024 * 1024;

test('the file shrinks in steps once most of it was trimmed, and keeps the remaining records', () => {
  const log = new LogFile();
  for (let i = 0; i < 200; i++) log.append('runs', i % 4, 8, 4_000);
  const kept = log.read('runs', 3).slice(-100);
  const size = (): number => {
    log.db.pragma('wal_checkpoint(TRUNCATE)');
    return statSync(log.file).size;
  };
  const full = size();
  expect(full).toBeGreaterThan(5 * MiB);
  for (const partition of [0, 1, 2]) log.trim('runs', partition, Number.MAX_SAFE_INTEGER);
  log.trim('runs', 3, kept[0]?.offset ?? NaN);
  expect(log.runChore(new Trimming(log.db))).toBeGreaterThan(1);
  expect(size()).toBe(full);
  expect(log.runChore(new Shrinking(log.db))).toBeGreaterThan(1);
  expect(size()).toBeLessThan(full - 2 * MiB);
  expect(log.read('runs', 3).slice(-100)).toEqual(kept);
  expect(log.db.pragma('integrity_check', { simple: true })).toBe('ok');
  log.remove();
});
