import { Steps } from './steps.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a step ends after sixteen starts, or when its starts have taken a millisecond', async () => {
  let steps = 0;
  const stepper = new Steps(() => steps++);
  for (let starts = 1; starts <= 15; starts++) stepper.recordStart(0, 'first');
  expect(stepper.isFull).toBe(false);
  stepper.recordStart(0, 'first');
  expect(stepper.isFull).toBe(true);
  await turn();
  expect([stepper.isFull, steps]).toEqual([false, 1]);
  stepper.recordStart(0.6, 'first');
  expect(stepper.isFull).toBe(false);
  stepper.recordStart(0.6, 'first');
  expect(stepper.isFull).toBe(true);
  await turn();
  expect([stepper.isFull, steps]).toEqual([false, 2]);
});

test('while live events come, replays that are still to start wait for the next step after three starts', async () => {
  const stepper = new Steps(() => {});
  for (let starts = 1; starts <= 15; starts++) stepper.recordStart(0, 'replay');
  expect(stepper.isFullForReplays).toBe(false);
  await turn();
  stepper.recordStart(0, 'first');
  for (let starts = 1; starts <= 2; starts++) stepper.recordStart(0, 'replay');
  expect(stepper.isFullForReplays).toBe(false);
  stepper.recordStart(0, 'replay');
  expect([stepper.isFullForReplays, stepper.isFull]).toEqual([true, false]);
  await turn();
  expect(stepper.isFullForReplays).toBe(false);
});

test('no further step happens after closing', async () => {
  let steps = 0;
  const stepper = new Steps(() => steps++);
  stepper.recordStart(0, 'first');
  stepper.close();
  await turn();
  expect(steps).toBe(0);
});
