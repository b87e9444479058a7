import { Steps } from './steps.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a step ends after sixteen starts, or when its starts have taken a millisecond', async () => {
  let steps = 0;
  const made = new Steps(() => steps++);
  for (let starts = 1; starts <= 15; starts++) made.took(0, 'first');
  expect(made.isOver).toBe(false);
  made.took(0, 'first');
  expect(made.isOver).toBe(true);
  await turn();
  expect([made.isOver, steps]).toEqual([false, 1]);
  made.took(0.6, 'first');
  expect(made.isOver).toBe(false);
  made.took(0.6, 'first');
  expect(made.isOver).toBe(true);
  await turn();
  expect([made.isOver, steps]).toEqual([false, 2]);
});

test('while live events come, replays that are still to start wait for the next step after three starts', async () => {
  const made = new Steps(() => {});
  for (let starts = 1; starts <= 15; starts++) made.took(0, 'replay');
  expect(made.isOverForReplays).toBe(false);
  await turn();
  made.took(0, 'first');
  for (let starts = 1; starts <= 2; starts++) made.took(0, 'replay');
  expect(made.isOverForReplays).toBe(false);
  made.took(0, 'replay');
  expect([made.isOverForReplays, made.isOver]).toEqual([true, false]);
  await turn();
  expect(made.isOverForReplays).toBe(false);
});

test('no further step happens after closing', async () => {
  let steps = 0;
  const made = new Steps(() => steps++);
  made.took(0, 'first');
  made.close();
  await turn();
  expect(steps).toBe(0);
});
