import { PaceRecords } from './pace-records.ts';

const records = (): PaceRecords => new PaceRecords({ quickMs: 500, quickCpuMs: 100, heavyCpuMs: 500 });
const quick = { durationMs: 3, cpuMs: 1 };

test('a source is new until its first run, and is then rated by its last one', () => {
  const known = records();
  expect(known.of('dc_a')).toBe('new');
  known.note('dc_a', quick);
  expect(known.of('dc_a')).toBe('quick');
  known.note('dc_a', { durationMs: 25_000, cpuMs: 1 });
  expect(known.of('dc_a')).toBe('waiting');
  known.note('dc_a', { durationMs: 1_000, cpuMs: 900 });
  expect(known.of('dc_a')).toBe('heavy');
  expect(known.of('dc_b')).toBe('new');
});

test('processor time counts, even when the clock says that a run was quick', () => {
  const known = records();
  known.note('dc_a', { durationMs: 300, cpuMs: 250 });
  expect(known.of('dc_a')).toBe('waiting');
});

test('a source that was slow is quick again after several quick runs, not after one', () => {
  const known = records();
  known.note('dc_a', { durationMs: 25_000, cpuMs: 1 });
  const seen = [1, 2, 3].map(() => {
    known.note('dc_a', quick);
    return known.of('dc_a');
  });
  expect(seen).toEqual(['waiting', 'waiting', 'quick']);
});

test('remembers only a limited number of sources', () => {
  const known = records();
  for (let n = 0; n < 60_000; n++) known.note(`dc_${n}`, quick);
  expect([known.of('dc_0'), known.of('dc_59999')]).toEqual(['new', 'quick']);
});
