import { PortError } from '../../../domain/port-error.ts';
import { LogWatch } from './log-watch.ts';

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

test('what comes soon comes as it is, and the log is not asked', async () => {
  const { watch, asked } = logThat(() => Promise.resolve(0));
  expect(await watch.whileAnswering(Promise.resolve('outcome'))).toBe('outcome');
  await expect(watch.whileAnswering(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(asked()).toBe(0);
});

test('what comes late comes all the same while the log answers', async () => {
  const { watch, asked } = logThat(() => Promise.resolve(0));
  const late = new Promise<string>((resolve) => setTimeout(resolve, 1_200, 'outcome'));
  expect(await watch.whileAnswering(late)).toBe('outcome');
  expect(asked()).toBe(1);
});

test('a log that is away is not waited for', async () => {
  const { watch } = logThat(() => Promise.reject(new PortError('unavailable', 'away')));
  expect(await watch.whileAnswering(never)).toBeUndefined();
});

test('a log that hangs is not waited for long, and all who wait share one question', async () => {
  const { watch, asked } = logThat(() => new Promise<number>(() => {}));
  const startedAt = performance.now();
  expect(await Promise.all([watch.whileAnswering(never), watch.whileAnswering(never)])).toEqual([undefined, undefined]);
  expect(performance.now() - startedAt).toBeLessThan(4_900);
  expect(asked()).toBe(1);
}, 10_000);
