import { jest } from '@jest/globals';
import { HeldAlerts, raisedMax, repeatMs } from './held-alerts.ts';
import type { Lasting } from './held-alerts.ts';

const told: string[] = [];
let alerts: HeldAlerts;
/** How many raised alerts are accepted before `told` is emptied; further ones are dropped. */
let room: number;
const lasting = (subject: string, says = 'm'): Lasting => ({ code: 'webhook_gone', subject, say: () => says });

beforeEach(() => {
  jest.useFakeTimers();
  told.length = 0;
  room = Infinity;
  alerts = new HeldAlerts({
    raise: ({ subject, say }) => told.push(`raise ${subject} ${say()}`) <= room,
    end: ({ subject }) => told.push(`end ${subject}`),
  });
});
afterEach(() => void jest.useRealTimers());

const heard = (ms: number): readonly string[] => {
  told.length = 0;
  jest.advanceTimersByTime(ms);
  return [...told];
};

test('an alert is raised once, and again each hour with the words of the time, until it ends', () => {
  let says = 'first';
  const held = alerts.hold({ code: 'webhook_gone', subject: 'wh_1', say: () => says });
  expect(heard(repeatMs - 1)).toEqual(['raise wh_1 first']);
  says = 'second';
  expect(heard(1)).toEqual(['raise wh_1 second']);
  expect(heard(repeatMs)).toEqual(['raise wh_1 second']);
  told.length = 0;
  held.end();
  expect(told).toEqual(['end wh_1']);
  held.end();
  expect(heard(2 * repeatMs)).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

test('an alert that several hold ends with the last of them', () => {
  const first = alerts.hold(lasting('wh_1', 'first'));
  const second = alerts.hold(lasting('wh_1', 'second'));
  expect(heard(0)).toEqual(['raise wh_1 first']);
  first.end();
  expect(heard(repeatMs)).toEqual(['raise wh_1 second']);
  told.length = 0;
  second.end();
  expect(told).toEqual(['end wh_1']);
});

test('one that is released is neither raised again nor ended', () => {
  const held = alerts.hold(lasting('wh_1'));
  held.release();
  held.end();
  expect(heard(2 * repeatMs)).toEqual([]);
  expect(told).toEqual([]);
});

test('one that was dropped is raised again each second until it is not', () => {
  room = 0;
  alerts.hold(lasting('wh_1'));
  expect(heard(3_000)).toHaveLength(4);
  room = Infinity;
  expect(heard(repeatMs - 4_000)).toEqual(['raise wh_1 m']);
});

test('ten thousand are raised in parts, and repeated in turn', () => {
  for (let i = 0; i < 10_000; i++) alerts.hold(lasting(`wh_${i}`));
  expect(heard(0)).toHaveLength(raisedMax);
  expect(heard(1_000 * (10_000 / raisedMax))).toHaveLength(10_000 - raisedMax);
  const repeated = [1, 2, 3].map(() => heard(repeatMs));
  expect(repeated.map((some) => some.length)).toEqual([raisedMax, raisedMax, raisedMax]);
  expect(new Set(repeated.flat()).size).toBe(3 * raisedMax);
});
