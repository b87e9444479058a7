import { jest } from '@jest/globals';
import { PortError } from '../../../domain/port-error.ts';
import { LogWatch } from './log-watch.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const never = new Promise<string>(() => {});

function watchOf(end: () => Promise<number>): { watch: LogWatch; asked: () => number } {
  let checks = 0;
  const watch = new LogWatch({
    end: () => {
      checks++;
      return end();
    },
  });
  return { watch, asked: () => checks };
}

test('returns an early outcome without asking the log', async () => {
  const { watch, asked: checks } = watchOf(() => Promise.resolve(0));
  expect(await watch.whileLogAnswers(Promise.resolve('outcome'))).toBe('outcome');
  await expect(watch.whileLogAnswers(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(checks()).toBe(0);
});

test('returns a late outcome as long as the log answers', async () => {
  const { watch, asked: checks } = watchOf(() => Promise.resolve(0));
  const late = new Promise<string>((resolve) => setTimeout(resolve, 1_200, 'outcome'));
  const waits = watch.whileLogAnswers(late);
  await jest.advanceTimersByTimeAsync(1_200);
  expect(await waits).toBe('outcome');
  expect(checks()).toBe(1);
});

test('stops waiting when the log is unavailable', async () => {
  const { watch } = watchOf(() => Promise.reject(new PortError('unavailable', 'away')));
  const waits = watch.whileLogAnswers(never);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await waits).toBeUndefined();
});

test('stops waiting after four seconds when the log hangs, and asks it once for all callers', async () => {
  const { watch, asked: checks } = watchOf(() => new Promise<number>(() => {}));
  const ended: unknown[] = [];
  for (let n = 0; n < 2; n++) void watch.whileLogAnswers(never).then((outcome) => ended.push(outcome));
  await jest.advanceTimersByTimeAsync(3_999);
  expect(ended).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([undefined, undefined]);
  expect(checks()).toBe(1);
});
