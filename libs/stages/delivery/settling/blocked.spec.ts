import type { SourceCursor } from '../cursors/source-cursor.ts';
import { Blocked } from './blocked.ts';

const told: string[] = [];
const alerts = {
  hold: () => {
    told.push('held');
    return { end: () => void told.push('ended'), release: () => void told.push('released') };
  },
  end: () => void told.push('ended, unheld'),
};
const subscription = { subscriptionId: 'sub_1', webhook: { ordered: true, blocks: true, retrySchedule: [] } };
const event = { offset: 7 };
let blocked: Blocked;

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
  told.length = 0;
  blocked = new Blocked(alerts);
});

test('a replay of a blocking event leaves the alert, and the event itself ends it, once', () => {
  blocked.begins({ cursor, event });
  blocked.ends({ cursor: replayed(), event });
  expect(told).toEqual(['held']);
  blocked.ends({ cursor, event });
  blocked.ends({ cursor, event });
  expect(told).toEqual(['held', 'ended']);
});

test('an event that fails again, or another one, changes nothing', () => {
  blocked.begins({ cursor, event });
  blocked.begins({ cursor, event });
  blocked.begins({ cursor, event: { offset: 8 } });
  blocked.ends({ cursor, event });
  expect(told).toEqual(['held']);
});

test('one that was deleted, or whose replay was paused, while the attempt was in flight blocks nothing', () => {
  blocked.begins({ cursor: cursorOf({ subscription: { ...subscription, closed: true } }), event });
  blocked.begins({ cursor: cursorOf({ replayId: 'rpl_1', stopped: true }), event });
  expect(told).toEqual([]);
});

test('the alert ends with its subscription, and no other does', () => {
  blocked.begins({ cursor, event });
  blocked.closed({ ...subscription } as unknown as SourceCursor['subscription']);
  expect(told).toEqual(['held']);
  blocked.closed(cursor.subscription);
  expect(told).toEqual(['held', 'ended']);
});

describe('when a replay is over', () => {
  test('the alert that it holds ends', () => {
    blocked.left(replayed());
    blocked.begins({ cursor: replayed(), event });
    blocked.left(replayed());
    expect(told).toEqual(['held', 'ended']);
  });

  test('the alert stays while an event of another cursor blocks', () => {
    blocked.begins({ cursor: replayed(), event });
    blocked.begins({ cursor: replayed('rpl_2'), event });
    blocked.begins({ cursor, event });
    blocked.left(replayed());
    blocked.left(replayed('rpl_2'));
    expect(told).toEqual(['held']);
  });
});

describe('after a restart', () => {
  test('an event that blocked before raises an alert, which ends as any other', () => {
    blocked.restored(cursorOf({}, 0, 1));
    blocked.restored(replayed('rpl_1', 1));
    blocked.left(replayed());
    expect(told).toEqual(['held']);
    blocked.ends({ cursor, event: { offset: 8 } });
    expect(told).toEqual(['held', 'ended']);
  });

  test('an alert from before is ended with an event that no longer blocks', () => {
    const parks = { subscription: { ...subscription, webhook: { ...subscription.webhook, blocks: false } } };
    const restored = cursorOf(parks, 1);
    blocked.restored(restored);
    expect(told).toEqual([]);
    blocked.ends({ cursor: restored, event });
    expect(told).toEqual(['ended, unheld']);
  });

  test('what blocks is left to the process that follows it next', () => {
    blocked.begins({ cursor, event });
    blocked.close();
    blocked.ends({ cursor, event });
    expect(told).toEqual(['held', 'released']);
  });
});
