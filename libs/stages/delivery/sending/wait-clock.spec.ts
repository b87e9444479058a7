import { WaitClock } from './wait-clock.ts';

let wallMs = 1_700_000_000_000;
let elapsedMs = 5_000;
const clock = new WaitClock(
  () => wallMs,
  () => elapsedMs,
);

test('it goes on with the monotonic clock, counts a sleep, and ignores a wall clock that is set back or drifts', () => {
  const elapsedAfter = (wall: number, elapsed: number): number => {
    const before = clock.now();
    wallMs += wall;
    elapsedMs += elapsed;
    return clock.now() - before;
  };
  expect(elapsedAfter(700, 700)).toBe(700);
  expect(elapsedAfter(3_600_000, 20)).toBe(3_600_000);
  expect(elapsedAfter(700, 700)).toBe(700);
  expect(elapsedAfter(-7_200_000, 50)).toBe(50);
  expect(elapsedAfter(60_000, 60_000)).toBe(60_000);
  expect(elapsedAfter(60_500, 60_000)).toBe(60_000);
});
