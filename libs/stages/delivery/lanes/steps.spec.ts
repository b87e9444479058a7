import { Steps } from './steps.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a step ends after sixteen starts, or when its starts have taken a millisecond', async () => {
  let steps = 0;
  const made = new Steps(() => steps++);
  for (let starts = 1; starts <= 15; starts++) made.took(0);
  expect(made.isOver).toBe(false);
  made.took(0);
  expect(made.isOver).toBe(true);
  await turn();
  expect([made.isOver, steps]).toEqual([false, 1]);
  made.took(0.6);
  expect(made.isOver).toBe(false);
  made.took(0.6);
  expect(made.isOver).toBe(true);
  await turn();
  expect([made.isOver, steps]).toEqual([false, 2]);
});

test('no further step happens after closing', async () => {
  let steps = 0;
  const made = new Steps(() => steps++);
  made.took(0);
  made.close();
  await turn();
  expect(steps).toBe(0);
});
