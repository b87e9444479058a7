// Delivery takes pages of events without blocking other work, however long an event takes.
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { DeliveryInputs } from './delivery-inputs.ts';
import type { DeliveryParts } from './delivery-parts.ts';

const count = 20;
const records = Array.from({ length: count }, (_, offset) => ({
  topic: 'channels',
  type: 'EventEmitted',
  offset: offset * 3,
  workspace: 'o_1',
  data: { emitterId: 'dc_1', channel: '' },
})) as unknown as RecordsOn<'channels'>;

/** `costMs`: the time that each event takes. */
function inputs(costMs: number) {
  let turns = 0;
  const seen: number[] = [];
  const indexed: number[] = [];
  const moved: number[] = [];
  const matching = (): readonly never[] => {
    for (const from = performance.now(); performance.now() - from < costMs;);
    seen.push(turns);
    return [];
  };
  const parts = {
    tailAt: 0,
    registry: { matching },
    filterChanges: { whenFiltersKnown: (_: unknown, take: () => unknown) => take() },
    index: { take: (piece: readonly unknown[]) => indexed.push(piece.length) },
    outbox: { advancePosition: (_: string, next: number) => moved.push(next) },
  };
  const context = { partition: 1, tolerate: (_: unknown, take: () => void) => take() };
  const options = { context } as unknown as TaskOptions;
  const made = new DeliveryInputs(options, parts as unknown as DeliveryParts);
  const turning = setInterval(() => turns++, 0);
  return { made, parts, seen, indexed, moved, end: () => clearInterval(turning) };
}

test('a page of events is taken as a whole', async () => {
  const { made, parts, indexed, moved, end } = inputs(0);
  const page = records.slice(0, 2);
  await made.handle(page, 9);
  end();
  expect(indexed.reduce((sum, one) => sum + one, 0)).toBe(2);
  expect([parts.tailAt, moved.at(-1)]).toEqual([9, 9]);
});

test('between events that take long for their many subscriptions the loop turns, and each piece counts as a page', async () => {
  const { made, parts, seen, indexed, moved, end } = inputs(12);
  const taking = made.handle(records, 100);
  expect([seen.length, parts.tailAt]).toEqual([1, 3]);
  await taking;
  end();
  expect(seen).toHaveLength(count);
  expect(new Set(seen).size).toBeGreaterThan(count / 4);
  expect(indexed).toEqual(Array.from({ length: count }, () => 1));
  expect(moved).toEqual([...Array.from({ length: count - 1 }, (_, n) => (n + 1) * 3), 100]);
  expect(parts.tailAt).toBe(100);
});
