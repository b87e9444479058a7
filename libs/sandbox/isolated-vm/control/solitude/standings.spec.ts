// One clean end frees a suspect, many free a culprit, and both become harder to shake off.
import { Standings } from './standings.ts';

const sourceId = 'dc_a';
let now = 0;
let standings: Standings;
beforeEach(() => {
  now = 0;
  standings = new Standings(() => now);
});

/** How many clean ends it takes until it is free. */
function endsUntilFree(): number {
  let ends = 0;
  for (; standings.of(sourceId) !== 'free'; ends++) standings.clear(sourceId);
  return ends;
}

it('frees a suspect after one clean end, and after more when it is suspected again and again', () => {
  expect(standings.of(sourceId)).toBe('free');
  const needed = [1, 2, 3, 4, 5, 6, 7].map(() => {
    standings.suspect(sourceId);
    expect(standings.of(sourceId)).toBe('suspect');
    return endsUntilFree();
  });
  expect(needed).toEqual([1, 2, 4, 8, 16, 20, 20]);
  now += 11 * 60_000;
  standings.suspect(sourceId);
  expect(endsUntilFree()).toBe(1);
});

it('frees a culprit after twenty clean ends in a row, and after twice as many each next time', () => {
  standings.suspect(sourceId);
  standings.convict(sourceId);
  expect(standings.of(sourceId)).toBe('culprit');
  for (let ends = 0; ends < 19; ends++) standings.clear(sourceId);
  expect(standings.of(sourceId)).toBe('culprit');
  standings.convict(sourceId);
  expect(endsUntilFree()).toBe(40);
  for (let crashes = 0; crashes < 20; crashes++) standings.convict(sourceId);
  expect(endsUntilFree()).toBe(1_280);
});

it('counts doubtful deaths in a row', () => {
  expect([standings.doubt(sourceId), standings.doubt(sourceId)]).toEqual([1, 2]);
  standings.clear(sourceId);
  expect(standings.doubt(sourceId)).toBe(1);
});

it('remembers so many sources, and forgives those not heard of for longest', () => {
  for (let at = 0; at < 10_000; at++) standings.suspect(`s${at}`);
  standings.suspect('s0');
  standings.suspect('new');
  expect(['s0', 's1', 's2', 'new'].map((id) => standings.of(id))).toEqual(['suspect', 'free', 'suspect', 'suspect']);
});
