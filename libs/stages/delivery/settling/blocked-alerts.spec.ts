import type { SourceCursor } from '../cursors/source-cursor.ts';
import { BlockedAlerts } from './blocked-alerts.ts';

const calls: string[] = [];
const alerts = {
  hold: () => {
    calls.push('held');
    return { end: () => void calls.push('ended'), release: () => void calls.push('released') };
  },
  end: () => void calls.push('ended, unheld'),
};
const subscription = { subscriptionId: 'sub_1', webhook: { ordered: true, blocks: true, retrySchedule: [] } };
const event = { offset: 7 };
let blockedAlerts: BlockedAlerts;

/** A cursor whose unfinished events have had these attempts; the schedule allows one. */
const cursorOf = (of: object, ...attempts: readonly number[]): SourceCursor =>
  ({
    subscription,
    ...of,
    unfinished: () => attempts.map((made, offset) => ({ offset: 7 + offset, attempts: made })),
  }) as unknown as SourceCursor;
const cursor = cursorOf({});
const replayed = (replayId = 'rpl_1', ...attempts: readonly number[]): SourceCursor =>
  cursorOf({ replayId }, ...attempts);

beforeEach(() => {
  calls.length = 0;
  blockedAlerts = new BlockedAlerts(alerts);
});

test('a replay of a blocking event leaves the alert, and the event itself ends it, once', () => {
  blockedAlerts.noteBlocking({ cursor, event });
  blockedAlerts.noteEnded({ cursor: replayed(), event });
  expect(calls).toEqual(['held']);
  blockedAlerts.noteEnded({ cursor, event });
  blockedAlerts.noteEnded({ cursor, event });
  expect(calls).toEqual(['held', 'ended']);
});

test('an event that fails again, or another one, changes nothing', () => {
  blockedAlerts.noteBlocking({ cursor, event });
  blockedAlerts.noteBlocking({ cursor, event });
  blockedAlerts.noteBlocking({ cursor, event: { offset: 8 } });
  blockedAlerts.noteEnded({ cursor, event });
  expect(calls).toEqual(['held']);
});

test('one that was deleted, or whose replay was paused, while the attempt was in flight blocks nothing', () => {
  blockedAlerts.noteBlocking({ cursor: cursorOf({ subscription: { ...subscription, closed: true } }), event });
  blockedAlerts.noteBlocking({ cursor: cursorOf({ replayId: 'rpl_1', stopped: true }), event });
  expect(calls).toEqual([]);
});

test('the alert ends with its subscription, and no other does', () => {
  blockedAlerts.noteBlocking({ cursor, event });
  blockedAlerts.noteDeleted({ ...subscription } as unknown as SourceCursor['subscription']);
  expect(calls).toEqual(['held']);
  blockedAlerts.noteDeleted(cursor.subscription);
  expect(calls).toEqual(['held', 'ended']);
});

describe('when a replay is over', () => {
  test('the alert that it holds ends', () => {
    blockedAlerts.noteReplayOver(replayed());
    blockedAlerts.noteBlocking({ cursor: replayed(), event });
    blockedAlerts.noteReplayOver(replayed());
    expect(calls).toEqual(['held', 'ended']);
  });

  test('the alert stays while an event of another cursor blocks', () => {
    blockedAlerts.noteBlocking({ cursor: replayed(), event });
    blockedAlerts.noteBlocking({ cursor: replayed('rpl_2'), event });
    blockedAlerts.noteBlocking({ cursor, event });
    blockedAlerts.noteReplayOver(replayed());
    blockedAlerts.noteReplayOver(replayed('rpl_2'));
    expect(calls).toEqual(['held']);
  });
});

describe('after a restart', () => {
  test('an event that blocked before raises an alert, which ends as any other', () => {
    blockedAlerts.restore(cursorOf({}, 0, 1));
    blockedAlerts.restore(replayed('rpl_1', 1));
    blockedAlerts.noteReplayOver(replayed());
    expect(calls).toEqual(['held']);
    blockedAlerts.noteEnded({ cursor, event: { offset: 8 } });
    expect(calls).toEqual(['held', 'ended']);
  });

  test('an alert from before is ended with an event that no longer blocks', () => {
    const parks = { subscription: { ...subscription, webhook: { ...subscription.webhook, blocks: false } } };
    const restored = cursorOf(parks, 1);
    blockedAlerts.restore(restored);
    expect(calls).toEqual([]);
    blockedAlerts.noteEnded({ cursor: restored, event });
    expect(calls).toEqual(['ended, unheld']);
  });

  test('what blocks is left to the process that follows it next', () => {
    blockedAlerts.noteBlocking({ cursor, event });
    blockedAlerts.close();
    blockedAlerts.noteEnded({ cursor, event });
    expect(calls).toEqual(['held', 'released']);
  });
});
