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

function logThat(end: () => Promise<number>): { watch: LogWatch; asked: () => number } {
  let asked = 0;
  const watch = new LogWatch({
    end: () => {
      asked++;
      return end();
    },
  });
  return { watch, asked: () => asked };
}

test('an outcome that comes soon is passed on without asking the log', async () => {
  const { watch, asked } = logThat(() => Promise.resolve(0));
  expect(await watch.whileAnswering(Promise.resolve('outcome'))).toBe('outcome');
  await expect(watch.whileAnswering(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(asked()).toBe(0);
});

test('an outcome that comes late is passed on while the log answers', async () => {
  const { watch, asked } = logThat(() => Promise.resolve(0));
  const late = new Promise<string>((resolve) => setTimeout(resolve, 1_200, 'outcome'));
  const waits = watch.whileAnswering(late);
  await jest.advanceTimersByTimeAsync(1_200);
  expect(await waits).toBe('outcome');
  expect(asked()).toBe(1);
});

test('an unavailable log is not waited for', async () => {
  const { watch } = logThat(() => Promise.reject(new PortError('unavailable', 'away')));
  const waits = watch.whileAnswering(never);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await waits).toBeUndefined();
});

test('a log that hangs is not waited for long, and all who wait share one question', async () => {
  const { watch, asked } = logThat(() => new Promise<number>(() => {}));
  const ended: unknown[] = [];
  for (let n = 0; n < 2; n++) void watch.whileAnswering(never).then((outcome) => ended.push(outcome));
  await jest.advanceTimersByTimeAsync(3_999);
  expect(ended).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([undefined, undefined]);
  expect(asked()).toBe(1);
});
