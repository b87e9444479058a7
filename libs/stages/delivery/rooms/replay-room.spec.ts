// Replays get places in the process in turn, and workspaces share a memory budget.
import { ReplayRoom } from './replay-room.ts';

const of = (workspace: string) => ({ workspace });
const nothing = (): void => {};

test('a workspace that remembers as much as it may leaves room for the others', () => {
  const room = new ReplayRoom({ replaysRunningMax: 10, replaySelectedMax: 1_000 });
  const [large, further, other, last] = [of('o_1'), of('o_1'), of('o_2'), of('o_3')];
  for (const replay of [large, further, other, last]) room.enter(replay, nothing);
  expect([room.hold(large, 400), room.hold(further, 100), room.hold(further, 101)]).toEqual([true, true, false]);
  room.leave(further);
  expect([room.hold(large, 500), room.hold(other, 250), room.hold(other, 251)]).toEqual([true, true, false]);
  room.hold(other, 250);
  expect([room.hold(last, 125), room.hold(last, 126)]).toEqual([true, false]);
  room.leave(large);
  expect(room.hold(last, 126)).toBe(true);
});

test('events that a replay has left behind no longer count, and a replay that is not running remembers nothing', () => {
  const room = new ReplayRoom({ replaysRunningMax: 1, replaySelectedMax: 1_000 });
  for (let n = 0; n < 10_000; n++) {
    const replay = of('o_1');
    expect(room.enter(replay, nothing)).toBe(true);
    expect(room.hold(replay, 500)).toBe(true);
    room.leave(replay);
  }
  expect(room.hold(of('o_1'), 1)).toBe(false);
});

test('a replay that waits for a place is told when there is one', () => {
  const room = new ReplayRoom({ replaysRunningMax: 1, replaySelectedMax: 1_000 });
  const [first, second] = [of('o_1'), of('o_2')];
  let told = 0;
  room.enter(first, nothing);
  expect(room.enter(second, () => told++)).toBe(false);
  room.leave(first);
  expect([told, room.enter(second, nothing)]).toEqual([1, true]);
});

test('a workspace with a thousand replays leaves places to others, and takes turns with them when one is free', () => {
  const room = new ReplayRoom({ replaysRunningMax: 100, replaySelectedMax: 1_000 });
  const begun: string[] = [];
  const running = new Map<string, ReturnType<typeof of>[]>();
  const enter = (replay: ReturnType<typeof of>): void => {
    if (!room.enter(replay, () => enter(replay))) return;
    begun.push(replay.workspace);
    running.set(replay.workspace, [...(running.get(replay.workspace) ?? []), replay]);
  };
  for (let n = 0; n < 1_000; n++) enter(of('o_1'));
  expect(begun).toHaveLength(75);
  for (let n = 0; n < 1_000; n++) enter(of('o_2'));
  enter(of('o_3'));
  expect(begun.slice(75)).toEqual([...Array.from({ length: 19 }, () => 'o_2'), 'o_3']);
  begun.length = 0;
  for (const replay of running.get('o_1')?.slice(0, 20) ?? []) room.leave(replay);
  expect(begun.filter((workspace) => workspace === 'o_2').length).toBeGreaterThan(5);
});

test('a workspace whose replays are paused may begin others, and what waits and leaves is not admitted', () => {
  const room = new ReplayRoom({ replaysRunningMax: 4, replaySelectedMax: 1_000 });
  const all = Array.from({ length: 6 }, () => of('o_1'));
  let freed = 0;
  const entered = all.map((replay) => room.enter(replay, () => freed++));
  expect(entered).toEqual([true, true, true, false, false, false]);
  for (const waiting of all.slice(3, 5)) room.leave(waiting);
  for (const replay of all.slice(0, 2)) room.pause(replay);
  expect([freed, room.enter(of('o_1'), () => {}), room.enter(of('o_1'), () => {})]).toEqual([1, true, true]);
});

const roomForTwo = (): ReplayRoom => new ReplayRoom({ replaysRunningMax: 2, replaySelectedMax: 10 });

test('a paused replay gives its place to others and continues when resumed', () => {
  const replays = roomForTwo();
  const [a, b, c, d] = [of('o_1'), of('o_1'), of('o_1'), of('o_1')];
  const freed: string[] = [];
  expect([replays.enter(a, () => {}), replays.enter(b, () => {})]).toEqual([true, true]);
  expect(replays.enter(c, () => replays.enter(c, () => {}) && freed.push('c'))).toBe(false);
  expect(replays.enter(d, () => replays.enter(d, () => {}) && freed.push('d'))).toBe(false);
  replays.pause(a);
  replays.pause(a);
  expect(freed).toEqual(['c']);
  replays.resume(a);
  replays.leave(b);
  expect(freed).toEqual(['c']);
  replays.leave(a);
  expect(freed).toEqual(['c', 'd']);
});

test('a replay that ends while it is paused frees its place once', () => {
  const replays = roomForTwo();
  const [a, b, c] = [of('o_1'), of('o_1'), of('o_1')];
  for (const one of [a, b]) replays.enter(one, () => {});
  replays.pause(a);
  expect(replays.enter(c, () => {})).toBe(true);
  replays.leave(a);
  expect(replays.enter(of('o_1'), () => {})).toBe(false);
});
