// The order in which workspaces and sources take turns.
import { FairSourceQueue } from './fair-source-queue.ts';

const item = (workspace: string, sourceId: string, n: number) => ({ workspace, sourceId, n });

function drained(turns: FairSourceQueue<ReturnType<typeof item>>): readonly string[] {
  const order: string[] = [];
  for (let first = turns.peek(); first !== undefined; first = turns.peek()) {
    order.push(`${first.sourceId}${first.n}`);
    turns.shift();
  }
  return order;
}

test('workspaces take turns, the sources of a workspace take turns, and requests of a source keep their order', () => {
  const turns = new FairSourceQueue<ReturnType<typeof item>>();
  for (let n = 0; n < 4; n++) turns.push(item('o_1', 'a', n));
  for (let n = 0; n < 2; n++) turns.push(item('o_1', 'b', n));
  for (let n = 0; n < 2; n++) turns.push(item('o_2', 'c', n));
  expect(drained(turns)).toEqual(['a0', 'c0', 'b0', 'c1', 'a1', 'b1', 'a2', 'a3']);
  expect(turns.isEmpty).toBe(true);
});

test('removes all waiting requests of one source at once and keeps the others', () => {
  const turns = new FairSourceQueue<ReturnType<typeof item>>();
  for (let n = 0; n < 3; n++) turns.push(item('o_1', 'a', n));
  turns.push(item('o_1', 'b', 0));
  expect(turns.shiftSource().map(({ n }) => n)).toEqual([0, 1, 2]);
  expect(drained(turns)).toEqual(['b0']);
  expect(turns.shiftSource()).toEqual([]);
});

test('a hundred thousand requests of one source delay that of another workspace by one turn only', () => {
  const turns = new FairSourceQueue<ReturnType<typeof item>>();
  for (let n = 0; n < 100_000; n++) turns.push(item('o_1', 'a', n));
  turns.push(item('o_2', 'b', 0));
  expect(drained(turns).indexOf('b0')).toBe(1);
});
