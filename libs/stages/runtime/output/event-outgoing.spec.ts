import type { EmittedEvent } from '../../../domain/channel/messages.ts';
import { eventsOutgoing } from './event-outgoing.ts';

const listOf = (length: number, createdIndexes: number[]) => ({
  length,
  at: (index: number): EmittedEvent => {
    createdIndexes.push(index);
    return { id: `rec_${index}` } as unknown as EmittedEvent;
  },
});

test('creates each event of a large output once, when it is encoded, and those of a small output at once', () => {
  const createdIndexes: number[] = [];
  const large = [...eventsOutgoing(listOf(10_000, createdIndexes), 3)];
  expect([large.length, createdIndexes.length]).toEqual([10_000, 0]);
  expect(large.every(({ topic, partition, isFinal }) => topic === 'channels' && partition === 3 && isFinal)).toBe(true);
  const ids = large.map(({ record }) => record.id);
  expect(large.map(({ record }) => record.id)).toEqual(ids);
  expect([ids[9_999], createdIndexes.length]).toEqual(['rec_9999', 10_000]);
  expect([...eventsOutgoing(listOf(2, createdIndexes), 3)]).toHaveLength(2);
  expect(createdIndexes).toHaveLength(10_002);
});
