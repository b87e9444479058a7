import { defaultLimits } from '../limits.ts';
import { Lanes, type AttemptKind } from './lanes.ts';

const started: string[] = [];
const item = (name: string) => ({ start: () => started.push(name) > 0 });

beforeEach(() => {
  started.length = 0;
});

const fill = (lanes: Lanes, name: string, kind: AttemptKind, count: number): void => {
  for (let i = 1; i <= count; i++) lanes.wait(lanes.of(name), kind, item(`${name}${i}`));
};

test('a lane starts as many as it may, and the next when one has ended', () => {
  const lanes = new Lanes({ ...defaultLimits, firstPerWebhookMax: 2 });
  fill(lanes, 'a', 'first', 4);
  expect(started).toEqual(['a1', 'a2']);
  lanes.ended(lanes.of('a'), 'first', false);
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('lanes that found no slot in the process go on in turn', () => {
  const lanes = new Lanes({ ...defaultLimits, firstInFlightMax: 2 });
  fill(lanes, 'a', 'first', 3);
  fill(lanes, 'b', 'first', 2);
  expect(started).toEqual(['a1', 'a2']);
  lanes.ended(lanes.of('a'), 'first', false);
  lanes.ended(lanes.of('a'), 'first', false);
  expect(started.slice(2).toSorted()).toEqual(['a3', 'b1']);
});

test('retries and first attempts do not take each others slots', () => {
  const lanes = new Lanes({ ...defaultLimits, firstInFlightMax: 1, retryInFlightMax: 1 });
  fill(lanes, 'a', 'retry', 2);
  fill(lanes, 'b', 'first', 2);
  expect(started).toEqual(['a1', 'b1']);
});

test('a silent webhook has one at a time, in which both kinds take turns, until it answers', () => {
  const lanes = new Lanes({ ...defaultLimits, silencesMax: 2 });
  const lane = lanes.of('a');
  fill(lanes, 'a', 'first', 2);
  lanes.ended(lane, 'first', true);
  lanes.ended(lane, 'first', true);
  started.length = 0;
  for (const name of ['f1', 'f2', 'f3']) lanes.wait(lane, 'first', item(name));
  for (const name of ['r1', 'r2', 'r3']) lanes.wait(lane, 'retry', item(name));
  expect(started).toEqual(['f1']);
  lanes.ended(lane, 'first', true);
  expect(started).toEqual(['f1', 'r1']);
  lanes.ended(lane, 'retry', true);
  expect(started).toEqual(['f1', 'r1', 'f2']);
  lanes.ended(lane, 'first', false);
  expect(started).toEqual(['f1', 'r1', 'f2', 'f3', 'r2', 'r3']);
});

test('what has nothing to start leaves its place to the next', () => {
  const lanes = new Lanes({ ...defaultLimits, firstPerWebhookMax: 1 });
  lanes.wait(lanes.of('a'), 'first', { start: () => false });
  lanes.wait(lanes.of('a'), 'first', item('next'));
  expect(started).toEqual(['next']);
});
