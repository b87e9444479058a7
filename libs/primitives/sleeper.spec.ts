import { Sleeper } from './sleeper.ts';

const longMs = 60_000;

test('sleeps until the time is over', async () => {
  const startedAt = performance.now();
  await new Sleeper().sleep(20);
  expect(performance.now() - startedAt).toBeGreaterThan(15);
});

test('a second sleep does not end when the first one does', async () => {
  const sleeper = new Sleeper();
  const first = sleeper.sleep(20);
  let over = false;
  const second = sleeper.sleep(longMs).then(() => (over = true));
  await first;
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(over).toBe(false);
  sleeper.wake();
  await second;
});

test('is woken early; a wake without a sleeper is not kept for the next sleep', async () => {
  const sleeper = new Sleeper();
  const long = sleeper.sleep(longMs);
  sleeper.wake();
  await long;
  sleeper.wake();
  let over = false;
  const next = sleeper.sleep(longMs).then(() => (over = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(over).toBe(false);
  sleeper.wake();
  await next;
});
