import { ReplayRoom } from './replay-room.ts';

const room = (): ReplayRoom => new ReplayRoom({ replaysRunningMax: 2, replaySelectedMax: 10 });

test('a paused replay leaves its place to others, and goes on when it is resumed', () => {
  const replays = room();
  const [a, b, c, d] = [{}, {}, {}, {}];
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

test('one that leaves while it is paused frees nothing twice', () => {
  const replays = room();
  const [a, b, c] = [{}, {}, {}];
  for (const one of [a, b]) replays.enter(one, () => {});
  replays.pause(a);
  expect(replays.enter(c, () => {})).toBe(true);
  replays.leave(a);
  expect(replays.enter({}, () => {})).toBe(false);
});
