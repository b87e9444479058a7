import type { Alerts } from '../../loop/reporting/alerts.ts';
import type { Attempt } from '../records/attempt-records.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { Blocked } from './blocked.ts';

const subscription = { subscriptionId: 'sub_1', webhook: { blocks: true, retrySchedule: [] } };
let isOpen = true;
const attemptsAt = (): number | undefined => (isOpen ? 1 : undefined);
const attempt = (replayId?: string): Attempt =>
  ({ cursor: { subscription, replayId, attemptsAt }, number: 1, event: { offset: 7 } }) as unknown as Attempt;

beforeEach(() => (isOpen = true));

test('a replay of a blocking event leaves the alert, and the event itself ends it', () => {
  const told: string[] = [];
  const alerts = { raise: () => told.push('raised'), end: () => told.push('ended') } as unknown as Alerts;
  const blocked = new Blocked(alerts);
  blocked.begins(attempt());
  blocked.ends(attempt('rpl_1'));
  blocked.ends(attempt());
  expect(told).toEqual(['raised', 'ended']);
});

describe('when a replay is over', () => {
  const cursorOf = (replayId: string | undefined, attempts: number): SourceCursor =>
    ({ subscription, replayId, unfinished: () => [{ attempts }] }) as unknown as SourceCursor;
  const replayed = cursorOf('rpl_1', 1);
  let told: string[];
  let blocked: Blocked;

  beforeEach(() => {
    told = [];
    const alerts = { raise: () => told.push('raised'), end: () => told.push('ended') } as unknown as Alerts;
    blocked = new Blocked(alerts);
  });

  test('the alert that it raised ends, also one from before a restart', () => {
    blocked.left(replayed, [cursorOf(undefined, 0)]);
    blocked.begins(attempt('rpl_1'));
    blocked.left(replayed, []);
    expect(told).toEqual(['ended', 'raised', 'ended']);
  });

  test('the alert stays while an event of another cursor blocks', () => {
    blocked.begins(attempt('rpl_1'));
    blocked.left(replayed, [cursorOf(undefined, 1)]);
    blocked.begins(attempt('rpl_1'));
    blocked.begins(attempt('rpl_2'));
    blocked.left(replayed, []);
    expect(told).toEqual(['raised', 'raised', 'raised']);
  });

  test('nothing is told of a replay that blocked nothing', () => {
    blocked.left(cursorOf('rpl_1', 0), []);
    expect(told).toEqual([]);
  });
});

describe('after a while', () => {
  let told: string[];
  let blocked: Blocked;

  beforeEach(() => {
    told = [];
    const alerts = { raise: () => told.push('raised'), end: () => told.push('ended') } as unknown as Alerts;
    blocked = new Blocked(alerts);
    blocked.begins(attempt());
  });
  afterEach(() => blocked.close());

  test('what still blocks is told of again, so that its alert does not run out', () => {
    blocked.repeat();
    expect(told).toEqual(['raised', 'raised']);
  });

  test('the alert ends where retention has taken the event, once', () => {
    isOpen = false;
    blocked.repeat();
    blocked.repeat();
    expect(told).toEqual(['raised', 'ended']);
  });

  test('what has ended is not told of again', () => {
    blocked.ends(attempt());
    blocked.repeat();
    expect(told).toEqual(['raised', 'ended']);
  });
});
