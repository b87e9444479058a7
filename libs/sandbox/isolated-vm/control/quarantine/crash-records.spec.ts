// One clean end frees a suspect, many free a culprit, and both need more after each further death.
import { CrashRecords } from './crash-records.ts';

const sourceId = 'dc_a';
let now = 0;
let records: CrashRecords;
beforeEach(() => {
  now = 0;
  records = new CrashRecords(() => now);
});

/** The number of clean ends until the source is free. */
function endsUntilFree(): number {
  let ends = 0;
  for (; records.suspicionOf(sourceId) !== 'free'; ends++) records.recordCleanEnd(sourceId);
  return ends;
}

it('frees a suspect after one clean end, and after more when it is suspected again and again', () => {
  expect(records.suspicionOf(sourceId)).toBe('free');
  const needed = [1, 2, 3, 4, 5, 6, 7].map(() => {
    records.recordSuspicion(sourceId);
    expect(records.suspicionOf(sourceId)).toBe('suspect');
    return endsUntilFree();
  });
  expect(needed).toEqual([1, 2, 4, 8, 16, 20, 20]);
  now += 11 * 60_000;
  records.recordSuspicion(sourceId);
  expect(endsUntilFree()).toBe(1);
});

it('frees a culprit after twenty clean ends in a row, and after twice as many each next time', () => {
  records.recordSuspicion(sourceId);
  records.recordCrash(sourceId);
  expect(records.suspicionOf(sourceId)).toBe('culprit');
  for (let ends = 0; ends < 19; ends++) records.recordCleanEnd(sourceId);
  expect(records.suspicionOf(sourceId)).toBe('culprit');
  records.recordCrash(sourceId);
  expect(endsUntilFree()).toBe(40);
  for (let crashes = 0; crashes < 20; crashes++) records.recordCrash(sourceId);
  expect(endsUntilFree()).toBe(1_280);
});

it('marks a source as stopped from hitting a limit until its next clean end', () => {
  records.recordSuspicion(sourceId);
  records.recordStop(sourceId);
  expect(records.suspicionOf(sourceId)).toBe('stopped');
  records.recordCleanEnd(sourceId);
  expect(records.suspicionOf(sourceId)).toBe('suspect');
  records.recordCleanEnd(sourceId);
  expect(records.suspicionOf(sourceId)).toBe('free');
});

it('counts consecutive doubtful deaths', () => {
  expect([records.recordDoubtfulDeath(sourceId), records.recordDoubtfulDeath(sourceId)]).toEqual([1, 2]);
  records.recordCleanEnd(sourceId);
  expect(records.recordDoubtfulDeath(sourceId)).toBe(1);
});

it('remembers a bounded number of sources, and forgets those suspected longest ago', () => {
  for (let at = 0; at < 10_000; at++) records.recordSuspicion(`s${at}`);
  records.recordSuspicion('s0');
  records.recordSuspicion('new');
  expect(['s0', 's1', 's2', 'new'].map((id) => records.suspicionOf(id))).toEqual([
    'suspect',
    'free',
    'suspect',
    'suspect',
  ]);
});
