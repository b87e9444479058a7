import { PaceRecords } from './pace-records.ts';

const newRecords = (): PaceRecords => new PaceRecords({ quickMs: 500, quickCpuMs: 100, heavyCpuMs: 500 });
const quick = { durationMs: 3, cpuMs: 1 };

test('a source is new until its first run, and is then rated by its last one', () => {
  const records = newRecords();
  expect(records.of('dc_a')).toBe('new');
  records.note('dc_a', quick);
  expect(records.of('dc_a')).toBe('quick');
  records.note('dc_a', { durationMs: 25_000, cpuMs: 1 });
  expect(records.of('dc_a')).toBe('waiting');
  records.note('dc_a', { durationMs: 1_000, cpuMs: 900 });
  expect(records.of('dc_a')).toBe('heavy');
  expect(records.of('dc_b')).toBe('new');
});

test('processor time counts, even when the clock says that a run was quick', () => {
  const records = newRecords();
  records.note('dc_a', { durationMs: 300, cpuMs: 250 });
  expect(records.of('dc_a')).toBe('waiting');
});

test('a source that was slow is quick again after several quick runs, not after one', () => {
  const records = newRecords();
  records.note('dc_a', { durationMs: 25_000, cpuMs: 1 });
  const seen = [1, 2, 3].map(() => {
    records.note('dc_a', quick);
    return records.of('dc_a');
  });
  expect(seen).toEqual(['waiting', 'waiting', 'quick']);
});

test('remembers only a limited number of sources', () => {
  const records = newRecords();
  for (let n = 0; n < 60_000; n++) records.note(`dc_${n}`, quick);
  expect([records.of('dc_0'), records.of('dc_59999')]).toEqual(['new', 'quick']);
});
