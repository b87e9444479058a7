// A limited number of isolates compute at once: those with short turns first, but those with long ones have a share.
import { jest } from '@jest/globals';
import { Processors, TurnQueue } from './processors.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const begun: string[] = [];
beforeEach(() => void begun.splice(0));

const turn = (name: string, ms: number) => async (): Promise<string> => {
  begun.push(name);
  await new Promise((resolve) => setTimeout(resolve, ms));
  return name;
};

test('a bounded number of turns compute at once', async () => {
  const processors = new Processors(2);
  for (const name of ['a', 'b', 'c', 'd']) void new TurnQueue(processors).run(turn(name, 10));
  expect(begun).toEqual(['a', 'b']);
  await jest.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('the turns of one isolate run in order, and a failed turn does not stop the others', async () => {
  const seat = new TurnQueue(new Processors(3));
  const first = seat.run(turn('first', 10));
  const failed = seat.run(() => Promise.reject(new Error('of the turn'))).catch((error: Error) => error.message);
  const last = seat.run(turn('last', 10));
  expect(begun).toEqual(['first']);
  await jest.advanceTimersByTimeAsync(20);
  expect(await Promise.all([first, failed, last])).toEqual(['first', 'of the turn', 'last']);
});

test('short turns go before long ones, which still get a quarter', async () => {
  const processors = new Processors(1);
  const burner = new TurnQueue(processors);
  void burner.run(turn('burner', 500));
  await jest.advanceTimersByTimeAsync(500);
  void new TurnQueue(processors).run(turn('now', 10));
  for (let n = 0; n < 3; n++) void burner.run(turn('burner', 500));
  for (let n = 0; n < 8; n++) void new TurnQueue(processors).run(turn('short', 10));
  await jest.advanceTimersByTimeAsync(5_000);
  const round = ['short', 'short', 'short', 'burner'];
  expect(begun).toEqual(['burner', 'now', ...round, ...round, 'short', 'short', 'burner']);
});

test('time spent waiting for a processor is reported, also while it lasts; computing is not', async () => {
  const processors = new Processors(1);
  const [first, second] = [new TurnQueue(processors), new TurnQueue(processors)];
  void first.run(turn('first', 100));
  void second.run(turn('second', 100));
  await jest.advanceTimersByTimeAsync(60);
  expect([first.queuedMs, second.queuedMs]).toEqual([0, 60]);
  await jest.advanceTimersByTimeAsync(100);
  expect([first.queuedMs, second.queuedMs]).toEqual([0, 100]);
});

test('a caller that leaves the queue blocks nobody, and its turn is rejected', async () => {
  const processors = new Processors(1);
  const leaver = new TurnQueue(processors);
  void new TurnQueue(processors).run(turn('first', 10));
  const rejection = leaver.run(turn('gone', 10)).catch((error: Error) => error.message);
  void new TurnQueue(processors).run(turn('last', 10));
  leaver.close();
  expect(await rejection).toContain('gone');
  await jest.advanceTimersByTimeAsync(20);
  expect(begun).toEqual(['first', 'last']);
});

test('a caller that leaves while it computes frees its processor when its turn ends', async () => {
  const processors = new Processors(1);
  const leaver = new TurnQueue(processors);
  void leaver.run(turn('under way', 10));
  const queued = leaver.run(turn('behind', 10)).catch(() => 'left');
  void new TurnQueue(processors).run(turn('last', 10));
  leaver.close();
  await jest.advanceTimersByTimeAsync(20);
  expect([begun, await queued]).toEqual([['under way', 'last'], 'left']);
});
