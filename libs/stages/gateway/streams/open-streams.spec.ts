import { OpenStreams, streamsMax } from './open-streams.ts';
import type { Stream } from './stream.ts';

/** What is called of a stream. */
class Told {
  readonly calls: string[] = [];
  readonly stream = { beat: () => this.calls.push('beat'), end: () => this.calls.push('end') } as unknown as Stream;
}

const owned = (workspace: string, apiKeyHash = 'known') => {
  const told = new Told();
  return { stream: told.stream, workspace, apiKeyHash, calls: told.calls };
};

test('a workspace has its part of the streams, and room again when one ends, however often that is told', () => {
  const open = new OpenStreams();
  const leave = Array.from({ length: streamsMax.workspace }, () => open.add(owned('o_1'), 0));
  expect(() => open.add(owned('o_1'), 0)).toThrow('Too many streams are open.');
  for (let n = streamsMax.workspace; n < streamsMax.gateway; n++) open.add(owned(`o_${n}`), 0);
  expect(() => open.add(owned('o_2'), 0)).toThrow('Too many streams are open.');
  for (let turn = 0; turn < 2; turn++) leave[0]?.();
  open.add(owned('o_1'), 0);
  expect(open.size).toBe(streamsMax.gateway);
  expect(() => open.add(owned('o_1'), 0)).toThrow('Too many streams are open.');
});

test('each gets its sign of life in its own time, and ends with its key', () => {
  const open = new OpenStreams();
  const [first, second, revoked] = [owned('o_1'), owned('o_1'), owned('o_1', 'revoked')];
  open.add(first, 10);
  open.add(second, 15);
  open.add(revoked, 10);
  const beats = { isKnownKey: (hash: string) => hash === 'known', beatMs: () => 10 };
  const calls = () => [first, second, revoked].map((one) => one.calls.splice(0));
  open.beat(9, beats);
  expect(calls()).toEqual([[], [], []]);
  open.beat(12, beats);
  expect(calls()).toEqual([['beat'], [], ['end']]);
  open.beat(21, beats);
  expect(calls()).toEqual([[], ['beat'], []]);
  open.beat(22, beats);
  expect(calls()).toEqual([['beat'], [], ['end']]);
});
