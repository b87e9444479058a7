import { discardedOf } from './subscriptions.ts';

test.each([
  [{ discarded: 1, parked: 0 }, 'Discarded 1 delivery.'],
  [{ discarded: 2, parked: 0 }, 'Discarded 2 deliveries.'],
  [{ discarded: 0, parked: 1 }, 'Discarded 0 deliveries; 1 still parked: only a replay has tried them.'],
])('what became of parked deliveries is said in the right number: %j', (counts, text) => {
  expect(discardedOf(counts)).toBe(text);
});
