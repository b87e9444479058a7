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
  for (; records.of(sourceId) !== 'free'; ends++) records.clear(sourceId);
  return ends;
}

it('frees a suspect after one clean end, and after more when it is suspected again and again', () => {
  expect(records.of(sourceId)).toBe('free');
  const needed = [1, 2, 3, 4, 5, 6, 7].map(() => {
    records.suspect(sourceId);
    expect(records.of(sourceId)).toBe('suspect');
    return endsUntilFree();
  });
  expect(needed).toEqual([1, 2, 4, 8, 16, 20, 20]);
  now += 11 * 60_000;
  records.suspect(sourceId);
  expect(endsUntilFree()).toBe(1);
});

it('frees a culprit after twenty clean ends in a row, and after twice as many each next time', () => {
  records.suspect(sourceId);
  records.convict(sourceId);
  expect(records.of(sourceId)).toBe('culprit');
  for (let ends = 0; ends < 19; ends++) records.clear(sourceId);
  expect(records.of(sourceId)).toBe('culprit');
  records.convict(sourceId);
  expect(endsUntilFree()).toBe(40);
  for (let crashes = 0; crashes < 20; crashes++) records.convict(sourceId);
  expect(endsUntilFree()).toBe(1_280);
});

it('marks a source as stopped from hitting a limit until its next clean end', () => {
  records.suspect(sourceId);
  records.stop(sourceId);
  expect(records.of(sourceId)).toBe('stopped');
  records.clear(sourceId);
  expect(records.of(sourceId)).toBe('suspect');
  records.clear(sourceId);
  expect(records.of(sourceId)).toBe('free');
});

it('counts consecutive doubtful deaths', () => {
  expect([records.doubt(sourceId), records.doubt(sourceId)]).toEqual([1, 2]);
  records.clear(sourceId);
  expect(records.doubt(sourceId)).toBe(1);
});

it('remembers a bounded number of sources, and forgets those suspected longest ago', () => {
  for (let at = 0; at < 10_000; at++) records.suspect(`s${at}`);
  records.suspect('s0');
  records.suspect('new');
  expect(['s0', 's1', 's2', 'new'].map((id) => records.of(id))).toEqual(['suspect', 'free', 'suspect', 'suspect']);
});
