// How decided records are given out: together with their position, but for the deletions that lead a long cascade.
import type { Outgoing } from '../../log/log.ts';
import { Outbox } from './outbox.ts';

const outgoing = (type: string, key: string, bytes = 300): Outgoing => ({
  topic: 'listeners',
  partition: 0,
  record: {
    ...{ id: 'rec', type, version: 1, key, at: 1, workspace: 'o_1', correlationId: 'c', causationId: 'c' },
    data: 'x'.repeat(bytes),
  },
});
const deletions = (count: number): Outgoing[] =>
  Array.from({ length: count }, (_, i) => outgoing('SubscriptionDeleted', `sub_${i}`));
const end = outgoing('WebhookDeleted', 'wh_1');

test('what one input leads to is taken together, with its position', () => {
  const outbox = new Outbox();
  const records = [...deletions(3), end];
  outbox.add(records, { 'commands/0': 7 });
  expect(outbox.take(8e6)).toEqual({ records, positions: { 'commands/0': 7 } });
  expect(outbox.take(8e6)).toBeUndefined();
  expect(outbox.bytes).toBe(0);
});

test('a long cascade goes in portions in its order, and its position with the last one', () => {
  const outbox = new Outbox();
  const records = [...deletions(20_000), end];
  outbox.add(records, { 'commands/0': 7 });
  const taken = [];
  for (let output = outbox.take(1e6); output !== undefined; output = outbox.take(1e6)) taken.push(output);
  expect(taken.flatMap((output) => output.records)).toEqual(records);
  expect(taken.length).toBeGreaterThan(5);
  expect(taken.slice(0, -1).every(({ positions }) => Object.keys(positions).length === 0)).toBe(true);
  expect(taken.at(-1)?.positions).toEqual({ 'commands/0': 7 });
  expect(outbox.bytes).toBe(0);
});

test('what is no deletion is never parted, however long it is', () => {
  const outbox = new Outbox();
  const records = Array.from({ length: 5 }, (_, i) => outgoing('SourceConfigured', `dc_${i}`, 300_000));
  outbox.add(records, { 'commands/0': 7 });
  expect(outbox.take(1e6)?.records).toEqual(records);
});
