import type { Fetcher } from './fetcher.ts';
import { PollerPool } from './poller-pool.ts';

function countingPool(): { readonly pollers: PollerPool; readonly made: () => number; readonly closed: () => number } {
  let made = 0;
  let closed = 0;
  const pollers = new PollerPool(() => {
    made++;
    return { close: () => closed++ } as unknown as Fetcher;
  });
  return { pollers, made: () => made, closed: () => closed };
}

async function severalAtOnce(pollers: PollerPool, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => pollers.poll(() => new Promise(setImmediate))));
}

test('connections are reused, also by the next tail', async () => {
  const { pollers, made, closed } = countingPool();
  await severalAtOnce(pollers, 3);
  await severalAtOnce(pollers, 3);
  expect([made(), closed()]).toEqual([3, 0]);
});

test('when a poll fails, all connections of that time are closed, lent ones when they return', async () => {
  const { pollers, closed } = countingPool();
  await severalAtOnce(pollers, 4);
  const gate = Promise.withResolvers<void>();
  const waiting = pollers.poll(() => gate.promise);
  const failing = pollers.poll(() => Promise.reject(new Error('timed out')));
  await expect(failing).rejects.toThrow('timed out');
  expect(closed()).toBe(3);
  gate.resolve();
  await waiting;
  expect(closed()).toBe(4);
});

test('closing closes all connections, lent ones when they return', async () => {
  const { pollers, made, closed } = countingPool();
  const polling = severalAtOnce(pollers, 2);
  pollers.close();
  await polling;
  expect(closed()).toBeGreaterThanOrEqual(made());
});
