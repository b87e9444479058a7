import { OpenStreams, streamsMax } from './open-streams.ts';
import type { Stream } from './stream.ts';

/** Records the calls to a stream. */
class RecordedStream {
  readonly calls: string[] = [];
  readonly stream = {
    sendHeartbeat: () => this.calls.push('beat'),
    end: () => this.calls.push('end'),
  } as unknown as Stream;
}

const owned = (workspace: string, isAdmitted = () => true) => {
  const recorded = new RecordedStream();
  return { stream: recorded.stream, workspace, isAdmitted, calls: recorded.calls };
};

test('limits streams per workspace and in total, and frees a place only once when a stream ends', () => {
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

test('sends each stream its sign of life at its own interval', () => {
  const open = new OpenStreams();
  const [first, second] = [owned('o_1'), owned('o_1')];
  open.add(first, 10);
  open.add(second, 15);
  const beatMs = () => 10;
  const calls = () => [first, second].map((one) => one.calls.splice(0));
  open.sendHeartbeats(9, beatMs);
  expect(calls()).toEqual([[], []]);
  open.sendHeartbeats(12, beatMs);
  expect(calls()).toEqual([['beat'], []]);
  open.sendHeartbeats(21, beatMs);
  expect(calls()).toEqual([[], ['beat']]);
  open.sendHeartbeats(22, beatMs);
  expect(calls()).toEqual([['beat'], []]);
});

test('ends a stream within a second after its key is revoked, even long before its next sign of life', () => {
  const open = new OpenStreams();
  let isRevoked = false;
  const [kept, ended] = [owned('o_1'), owned('o_1', () => !isRevoked)];
  for (const one of [kept, ended]) open.add(one, 1_000_000);
  const beatMs = () => 15_000;
  open.sendHeartbeats(10_000, beatMs);
  isRevoked = true;
  for (let now = 10_050; now <= 11_000; now += 50) open.sendHeartbeats(now, beatMs);
  expect([kept.calls.length, ended.calls[0]]).toEqual([0, 'end']);
});
