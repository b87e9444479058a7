import { jest } from '@jest/globals';
import { HeldAlerts, batchMax, repeatMs } from './held-alerts.ts';
import type { LastingTrouble } from './held-alerts.ts';

const calls: string[] = [];
let alerts: HeldAlerts;
/** How many raised alerts are accepted before `calls` is emptied; further ones are dropped. */
let room: number;
const troubleOf = (subject: string, sentence = 'm'): LastingTrouble => ({
  code: 'webhook_gone',
  subject,
  describe: () => sentence,
});

beforeEach(() => {
  jest.useFakeTimers();
  calls.length = 0;
  room = Infinity;
  alerts = new HeldAlerts({
    raise: ({ subject, describe }) => calls.push(`raise ${subject} ${describe()}`) <= room,
    end: ({ subject }) => calls.push(`end ${subject}`),
  });
});
afterEach(() => void jest.useRealTimers());

const heard = (ms: number): readonly string[] => {
  calls.length = 0;
  jest.advanceTimersByTime(ms);
  return [...calls];
};

test('an alert is raised once, and again each hour with the words of the time, until it ends', () => {
  let sentence = 'first';
  const held = alerts.hold({ code: 'webhook_gone', subject: 'wh_1', describe: () => sentence });
  expect(heard(repeatMs - 1)).toEqual(['raise wh_1 first']);
  sentence = 'second';
  expect(heard(1)).toEqual(['raise wh_1 second']);
  expect(heard(repeatMs)).toEqual(['raise wh_1 second']);
  calls.length = 0;
  held.end();
  expect(calls).toEqual(['end wh_1']);
  held.end();
  expect(heard(2 * repeatMs)).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

test('an alert that several hold ends with the last of them', () => {
  const first = alerts.hold(troubleOf('wh_1', 'first'));
  const second = alerts.hold(troubleOf('wh_1', 'second'));
  expect(heard(0)).toEqual(['raise wh_1 first']);
  first.end();
  expect(heard(repeatMs)).toEqual(['raise wh_1 second']);
  calls.length = 0;
  second.end();
  expect(calls).toEqual(['end wh_1']);
});

test('one that is released is neither raised again nor ended', () => {
  const held = alerts.hold(troubleOf('wh_1'));
  held.release();
  held.end();
  expect(heard(2 * repeatMs)).toEqual([]);
  expect(calls).toEqual([]);
});

test('one that was dropped is raised again each second until it is not', () => {
  room = 0;
  alerts.hold(troubleOf('wh_1'));
  expect(heard(3_000)).toHaveLength(4);
  room = Infinity;
  expect(heard(repeatMs - 4_000)).toEqual(['raise wh_1 m']);
});

test('ten thousand are raised in parts, and repeated in turn', () => {
  for (let i = 0; i < 10_000; i++) alerts.hold(troubleOf(`wh_${i}`));
  expect(heard(0)).toHaveLength(batchMax);
  expect(heard(1_000 * (10_000 / batchMax))).toHaveLength(10_000 - batchMax);
  const repeated = [1, 2, 3].map(() => heard(repeatMs));
  expect(repeated.map((some) => some.length)).toEqual([batchMax, batchMax, batchMax]);
  expect(new Set(repeated.flat()).size).toBe(3 * batchMax);
});
