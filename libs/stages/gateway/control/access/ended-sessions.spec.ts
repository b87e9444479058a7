import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import { EndedSessions } from './ended-sessions.ts';

const hourMs = 3_600_000;

function following() {
  const clock = { now: 100 * hourMs };
  const ended = new EndedSessions(() => clock.now);
  const end = (id: string, { workspace = 'o_1', issuedAt = clock.now } = {}): void => {
    const data = { sessionId: id, expiresAt: issuedAt + 12 * hourMs };
    ended.accept({
      topic: 'workspaces',
      type: 'SessionEnded',
      workspace,
      at: clock.now,
      data,
    } as RecordOn<FollowedTopic>);
  };
  const has = (id: string, { workspace = 'o_1', issuedAt = clock.now } = {}) => ended.has(workspace, { id, issuedAt });
  return { clock, end, has };
}

test('an ended session is recognized, but not another one of its workspace nor one of the same name elsewhere', () => {
  const { end, has } = following();
  end('a');
  expect([has('a'), has('b'), has('a', { workspace: 'o_2' })]).toEqual([true, false, false]);
});

test('however many sessions a workspace ends, each stays ended, and other workspaces stay signed in', () => {
  const { clock, end, has } = following();
  const begun = clock.now;
  for (let n = 0; n < 10_000; n++, clock.now++) end(`s${n}`);
  for (const n of [0, 1, 5_000, 9_999]) expect([n, has(`s${n}`, { issuedAt: begun })]).toEqual([n, true]);
  expect([has('new'), has('new', { workspace: 'o_2', issuedAt: begun })]).toEqual([false, false]);
});

test('expired sessions make room, so that ending many over days signs nobody else out', () => {
  const { clock, end, has } = following();
  for (let n = 0; n < 400; n++) end(`old${n}`);
  clock.now += 13 * hourMs;
  for (let n = 0; n < 602; n++) end(`s${n}`);
  expect(has('s601')).toBe(true);
  const { now } = clock;
  for (let n = 0; n < 100; n++) end(`t${n}`);
  expect(has('other', { issuedAt: now })).toBe(false);
});
