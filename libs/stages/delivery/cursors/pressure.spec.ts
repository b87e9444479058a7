import { jest } from '@jest/globals';
import { EventBuffer, type BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from './source-cursor.ts';
import { Pressure } from './pressure.ts';

const limits = {
  queuedMax: 100,
  bufferBytesMax: 1_000_000,
  patienceMs: 250,
  watchedFrom: 1_000,
  watchedBytes: 1_000_000,
};

/** A cursor with a queue; nothing else of it is used here. */
class Queue {
  queued: number;
  fellBehind = false;

  constructor(queued: number) {
    this.queued = queued;
  }

  queuedBytes = 0;
  begunCount = 0;

  fallBehind(): void {
    this.queued = 0;
    this.fellBehind = true;
  }
}

const reading: string[] = [];
let pressure: Pressure;
const grown = (queue: Queue): void => pressure.noteGrowth(queue as unknown as SourceCursor);
const shrunk = (queue: Queue, queued: number): void => {
  queue.queued = queued;
  pressure.noteShrink(queue as unknown as SourceCursor);
};

beforeEach(() => {
  jest.useFakeTimers();
  reading.length = 0;
  pressure = new Pressure({
    buffer: new EventBuffer(),
    limits,
    pause: () => reading.push('paused'),
    resume: () => reading.push('resumed'),
    cursors: () => [],
    onFellBehind: () => {},
  });
});
afterEach(() => jest.useRealTimers());

test('reading pauses at a full queue and resumes when half of it has been sent', () => {
  const queue = new Queue(100);
  grown(queue);
  shrunk(queue, 51);
  expect(reading).toEqual(['paused']);
  shrunk(queue, 50);
  expect(reading).toEqual(['paused', 'resumed']);
  jest.advanceTimersByTime(1_000);
  expect(queue.fellBehind).toBe(false);
});

test('a full queue that hardly moves falls behind, and reading resumes', () => {
  const slow = new Queue(100);
  grown(slow);
  shrunk(slow, 90);
  jest.advanceTimersByTime(limits.patienceMs);
  expect(slow.fellBehind).toBe(true);
  expect(reading).toEqual(['paused', 'resumed']);
});

test('a queue that makes progress is waited for', () => {
  const steady = new Queue(160);
  grown(steady);
  shrunk(steady, 110);
  jest.advanceTimersByTime(limits.patienceMs);
  expect(steady.fellBehind).toBe(false);
  expect(reading).toEqual(['paused']);
  jest.advanceTimersByTime(limits.patienceMs);
  expect(steady.fellBehind).toBe(true);
});

test('a long queue without progress falls behind at once, one with progress stays', () => {
  const [slow, quick] = [new Queue(60), new Queue(60)];
  for (const queue of [slow, quick]) queue.queuedBytes = 1_000_000;
  grown(slow);
  grown(quick);
  jest.advanceTimersByTime(limits.patienceMs);
  quick.begunCount = 30;
  grown(slow);
  grown(quick);
  expect([slow.fellBehind, quick.fellBehind]).toEqual([true, false]);
  jest.advanceTimersByTime(limits.patienceMs);
  grown(quick);
  expect(quick.fellBehind).toBe(true);
  expect(reading).toEqual([]);
});

test('when all hold too much, a cursor whose lines hold it falls behind before one with a short queue', () => {
  const buffer = new EventBuffer();
  const event = { body: 'x'.repeat(1_000_000), budget: 'tail', holders: 0 } as BufferedEvent;
  buffer.hold(event);
  const [slow, quick] = [new Queue(0), new Queue(3)];
  Object.assign(slow, {
    keyOrder: { heldCount: 256 },
    fallBehind() {
      slow.fellBehind = true;
      buffer.release(event);
    },
  });
  const cursors = () => [quick, slow] as unknown as SourceCursor[];
  const grows = {
    buffer,
    limits,
    pause: () => {},
    resume: () => reading.push('resumed'),
    cursors,
    onFellBehind: () => {},
  };
  new Pressure(grows).noteGrowth(quick as unknown as SourceCursor);
  jest.advanceTimersByTime(limits.patienceMs);
  expect([slow.fellBehind, quick.fellBehind, reading]).toEqual([true, false, ['resumed']]);
});
