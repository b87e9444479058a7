import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TopicName } from '../../domain/flow.ts';
import type { StoredRecord } from '../../domain/message.ts';
import { readRecords, traced } from '../contract/harness.ts';
import type { Log } from '../log.ts';
import { makeDirectory, type Directory } from './fixture/directory.ts';
import { numberedAppend, numberedTopics } from './fixture/numbered-append.ts';

const program = fileURLToPath(new URL('./fixture/appending-process.ts', import.meta.url));
const kills = 4;
/** The appends acknowledged before a kill: at least this many, at most twice as many and those in flight. */
const appendsMin = 40;

/** A process that appends; `outputLines` gains a line for each acknowledged append. */
class Appending {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly outputLines: string[] = [];
  #partialLine = '';
  #check = (): void => {};

  constructor(file: string, first: number) {
    this.#child = spawn(process.execPath, [program, file, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#partialLine + text).split('\n');
      this.#partialLine = lines.pop() ?? '';
      this.outputLines.push(...lines);
      this.#check();
    });
  }

  async until(lines: number): Promise<void> {
    const enoughLines = new Promise<void>((resolve) => {
      this.#check = () => this.outputLines.length >= lines && resolve();
      this.#check();
    });
    await Promise.race([enoughLines, this.#closed]);
    expect(this.outputLines.length).toBeGreaterThanOrEqual(lines);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

let directory: Directory;
beforeEach(() => {
  directory = makeDirectory();
});
afterEach(() => directory.remove());

const all = (log: Log, topic: TopicName): Promise<readonly StoredRecord[]> =>
  readRecords(log, { topic, partition: 1, from: 0 }, 0);

test('acknowledged appends survive a kill -9, and every append is whole', async () => {
  const acknowledged = new Map<number, readonly number[]>();
  let next = 0;
  for (let round = 0; round < kills; round++) {
    const appending = new Appending(directory.file, next);
    await appending.until(1 + appendsMin + Math.floor(Math.random() * appendsMin));
    await appending.kill();
    for (const line of appending.outputLines.slice(1)) {
      const [n = NaN, ...offsets] = line.split(' ').map(Number);
      acknowledged.set(n, offsets);
    }
    const log = await directory.open();
    next = (await log.own('runtime', 1)).mark.positions['triggers/1'] ?? NaN;
    await expectWhole(log, acknowledged, next);
    await log.close();
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills * appendsMin);
}, 60_000);

/** Expects the records of appends 0 up to `next` and no others, each acknowledged record at its acknowledged offset. */
async function expectWhole(
  log: Log,
  acknowledged: ReadonlyMap<number, readonly number[]>,
  next: number,
): Promise<void> {
  expect(next).toBeGreaterThan(Math.max(...acknowledged.keys()));
  const found = new Map<string, StoredRecord>();
  for (const topic of new Set(numberedTopics)) for (const record of await all(log, topic)) found.set(record.id, record);
  expect(found.size).toBe(next * numberedTopics.length);
  for (let n = 0; n < next; n++)
    for (const [part, { topic, record }] of numberedAppend(n).entries()) {
      const offset = acknowledged.get(n)?.[part] ?? found.get(record.id)?.offset;
      expect(found.get(record.id)).toEqual({ ...traced(record), topic, partition: 1, offset });
    }
}

test('a log that another process has open is in use until that process ends, even by kill -9', async () => {
  const appending = new Appending(directory.file, 0);
  await appending.until(1);
  await expect(directory.open()).rejects.toMatchObject({
    code: 'in_use',
    message: expect.stringContaining(directory.file),
  });
  await appending.kill();
  const log = await directory.open();
  await log.close();
}, 30_000);
