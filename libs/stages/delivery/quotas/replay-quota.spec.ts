// Replays get places in the process in turn, and workspaces share a memory budget.
import { ReplayQuota } from './replay-quota.ts';

const replayOf = (workspace: string) => ({ workspace });
const nothing = (): void => {};

test('a workspace that remembers as much as it may leaves room for the others', () => {
  const quota = new ReplayQuota({ replaysRunningMax: 10, replaySelectedMax: 1_000 });
  const [large, further, other, last] = [replayOf('o_1'), replayOf('o_1'), replayOf('o_2'), replayOf('o_3')];
  for (const replay of [large, further, other, last]) quota.tryStart(replay, nothing);
  expect([quota.remember(large, 400), quota.remember(further, 100), quota.remember(further, 101)]).toEqual([
    true,
    true,
    false,
  ]);
  quota.release(further);
  expect([quota.remember(large, 500), quota.remember(other, 250), quota.remember(other, 251)]).toEqual([
    true,
    true,
    false,
  ]);
  quota.remember(other, 250);
  expect([quota.remember(last, 125), quota.remember(last, 126)]).toEqual([true, false]);
  quota.release(large);
  expect(quota.remember(last, 126)).toBe(true);
});

test('events that a replay has left behind no longer count, and a replay that is not running remembers nothing', () => {
  const quota = new ReplayQuota({ replaysRunningMax: 1, replaySelectedMax: 1_000 });
  for (let n = 0; n < 10_000; n++) {
    const replay = replayOf('o_1');
    expect(quota.tryStart(replay, nothing)).toBe(true);
    expect(quota.remember(replay, 500)).toBe(true);
    quota.release(replay);
  }
  expect(quota.remember(replayOf('o_1'), 1)).toBe(false);
});

test('a replay that waits for a place is told when there is one', () => {
  const quota = new ReplayQuota({ replaysRunningMax: 1, replaySelectedMax: 1_000 });
  const [first, second] = [replayOf('o_1'), replayOf('o_2')];
  let calls = 0;
  quota.tryStart(first, nothing);
  expect(quota.tryStart(second, () => calls++)).toBe(false);
  quota.release(first);
  expect([calls, quota.tryStart(second, nothing)]).toEqual([1, true]);
});

test('a workspace with a thousand replays leaves places to others, and takes turns with them when one is free', () => {
  const quota = new ReplayQuota({ replaysRunningMax: 100, replaySelectedMax: 1_000 });
  const begun: string[] = [];
  const running = new Map<string, ReturnType<typeof replayOf>[]>();
  const start = (replay: ReturnType<typeof replayOf>): void => {
    if (!quota.tryStart(replay, () => start(replay))) return;
    begun.push(replay.workspace);
    running.set(replay.workspace, [...(running.get(replay.workspace) ?? []), replay]);
  };
  for (let n = 0; n < 1_000; n++) start(replayOf('o_1'));
  expect(begun).toHaveLength(75);
  for (let n = 0; n < 1_000; n++) start(replayOf('o_2'));
  start(replayOf('o_3'));
  expect(begun.slice(75)).toEqual([...Array.from({ length: 19 }, () => 'o_2'), 'o_3']);
  begun.length = 0;
  for (const replay of running.get('o_1')?.slice(0, 20) ?? []) quota.release(replay);
  expect(begun.filter((workspace) => workspace === 'o_2').length).toBeGreaterThan(5);
});

test('a workspace whose replays are paused may begin others, and what waits and leaves is not admitted', () => {
  const quota = new ReplayQuota({ replaysRunningMax: 4, replaySelectedMax: 1_000 });
  const all = Array.from({ length: 6 }, () => replayOf('o_1'));
  let freeCalls = 0;
  const entered = all.map((replay) => quota.tryStart(replay, () => freeCalls++));
  expect(entered).toEqual([true, true, true, false, false, false]);
  for (const waiting of all.slice(3, 5)) quota.release(waiting);
  for (const replay of all.slice(0, 2)) quota.pause(replay);
  expect([freeCalls, quota.tryStart(replayOf('o_1'), () => {}), quota.tryStart(replayOf('o_1'), () => {})]).toEqual([
    1,
    true,
    true,
  ]);
});

const quotaForTwo = (): ReplayQuota => new ReplayQuota({ replaysRunningMax: 2, replaySelectedMax: 10 });

test('a paused replay gives its place to others and continues when resumed', () => {
  const replays = quotaForTwo();
  const [a, b, c, d] = [replayOf('o_1'), replayOf('o_1'), replayOf('o_1'), replayOf('o_1')];
  const started: string[] = [];
  expect([replays.tryStart(a, () => {}), replays.tryStart(b, () => {})]).toEqual([true, true]);
  expect(replays.tryStart(c, () => replays.tryStart(c, () => {}) && started.push('c'))).toBe(false);
  expect(replays.tryStart(d, () => replays.tryStart(d, () => {}) && started.push('d'))).toBe(false);
  replays.pause(a);
  replays.pause(a);
  expect(started).toEqual(['c']);
  replays.resume(a);
  replays.release(b);
  expect(started).toEqual(['c']);
  replays.release(a);
  expect(started).toEqual(['c', 'd']);
});

test('a replay that ends while it is paused frees its place once', () => {
  const replays = quotaForTwo();
  const [a, b, c] = [replayOf('o_1'), replayOf('o_1'), replayOf('o_1')];
  for (const one of [a, b]) replays.tryStart(one, () => {});
  replays.pause(a);
  expect(replays.tryStart(c, () => {})).toBe(true);
  replays.release(a);
  expect(replays.tryStart(replayOf('o_1'), () => {})).toBe(false);
});
