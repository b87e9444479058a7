import { setTimeout as delay } from 'node:timers/promises';
import { ProcessOutput } from './process-output.ts';
import type { Sink } from './process-output.ts';

const mebibyte = 1024 * 1024;
const line = (n: number, bytes = 64): string => `${n} `.padEnd(bytes - 1, '.') + '\n';
const notice = (lines: number): string => `dropped ${lines}\n`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Accepts at most `most` bytes at a time, and nothing while it is stopped. */
class FakeSink implements Sink {
  taken = '';
  writes = 0;
  most = Infinity;
  trouble: string | undefined;
  #wait: PromiseWithResolvers<void> | undefined;

  stop(): void {
    this.#wait = Promise.withResolvers();
  }

  go(): void {
    this.#wait?.resolve();
    this.#wait = undefined;
  }

  async write(bytes: Buffer): Promise<number> {
    this.writes += 1;
    await this.#wait?.promise;
    if (this.trouble !== undefined) throw Object.assign(new Error(this.trouble), { code: this.trouble });
    const count = Math.min(this.most, bytes.length);
    this.taken += bytes.toString('latin1', 0, count);
    return count;
  }
}

function setUp(): { sink: FakeSink; output: ProcessOutput } {
  const sink = new FakeSink();
  return { sink, output: new ProcessOutput(sink, notice) };
}

test('lines come out in order, several at a time', async () => {
  const { sink, output } = setUp();
  const lines = Array.from({ length: 1000 }, (_, n) => line(n));
  for (const each of lines) output.write(each);
  await output.flush(1_000);
  expect(sink.taken).toBe(lines.join(''));
  expect(sink.writes).toBeLessThan(30);
});

test('a line written in several parts comes out whole, also one larger than a batch', async () => {
  const { sink, output } = setUp();
  sink.most = 1_000;
  output.write(line(1, 100_000));
  output.write(line(2));
  await output.flush(1_000);
  expect(sink.taken).toBe(line(1, 100_000) + line(2));
});

test('without a reader, writing does not block; the number of dropped lines is printed in their place', async () => {
  const { sink, output } = setUp();
  sink.stop();
  const lines = Array.from({ length: 10_000 }, (_, n) => line(n, 1024));
  for (const each of lines) output.write(each);
  sink.go();
  await output.flush(1_000);
  output.write(line(-1));
  await output.flush(1_000);
  const kept = (4 * mebibyte) / 1024;
  expect(sink.taken).toBe(lines.slice(0, kept).join('') + notice(10_000 - kept) + line(-1));
});

test('a slow reader is told once how many lines were dropped', async () => {
  const { sink, output } = setUp();
  sink.stop();
  for (let n = 0; n < 5 * 1024; n++) output.write(line(n, 1024));
  sink.most = 1024;
  sink.go();
  for (let n = 0; n < 1024; n++) {
    output.write(line(n, 1024));
    await turn();
  }
  sink.most = Infinity;
  await output.flush(1_000);
  expect(sink.taken.match(/dropped \d+/g)).toHaveLength(1);
});

test('a line larger than the buffer is dropped and reported at once', async () => {
  const { sink, output } = setUp();
  output.write(line(1, 5 * mebibyte));
  await turn();
  output.write(line(2));
  await output.flush(1_000);
  expect(sink.taken).toBe(notice(1) + line(2));
});

test.each(['EAGAIN', 'EPIPE', 'ENOSPC', 'EIO', 'EBADF'])(
  'after %s, lines are written as soon as that is possible again',
  async (code) => {
    const { sink, output } = setUp();
    sink.trouble = code;
    output.write(line(1));
    await output.flush(50);
    expect(sink.writes).toBeGreaterThan(1);
    sink.trouble = undefined;
    output.write(line(2));
    await output.flush(1_000);
    expect(sink.taken).toBe(line(1) + line(2));
  },
);

test('a flush without a reader ends within its time limit', async () => {
  const { sink, output } = setUp();
  sink.stop();
  output.write(line(1));
  const late = new AbortController();
  const flushed = output.flush(100).then(() => 'over');
  expect(await Promise.race([flushed, delay(4_000, 'late', { signal: late.signal })])).toBe('over');
  late.abort();
});
