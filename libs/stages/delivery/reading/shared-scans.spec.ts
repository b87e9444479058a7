// Scans of one source share their reads, and each gets exactly its own range.
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import type { SourceScanOptions } from './scan.ts';
import { SharedScans } from './shared-scans.ts';

const record = recordOf('EventEmitted', samples.channels.EventEmitted);

/** A log that has a record at each offset, of whichever source is requested. */
class Log {
  /** Records read, by source. */
  readonly counts = new Map<string, number>();
  /** Called before each read. */
  onRead: (from: number) => void | Promise<void> = () => {};
  workspaceAt: (offset: number) => string = () => record.workspace;

  readonly scans = new SharedScans({
    context: { log: {}, partition: 0 },
    readSlots: new Semaphore(4),
    scanSlots: { first: new Semaphore(1), further: new Semaphore(1) },
    sourceRecords: {
      page: async (emitterId: string, from: number, { to, recordsMax }: { to: number; recordsMax: number }) => {
        await this.onRead(from);
        const next = Math.max(from, Math.min(from + recordsMax, to));
        const data = { ...(record.data as object), emitterId };
        const records = Array.from({ length: next - from }, (_, n) => {
          const offset = from + n;
          return { ...record, workspace: this.workspaceAt(offset), data, offset };
        });
        this.counts.set(emitterId, (this.counts.get(emitterId) ?? 0) + records.length);
        return { records, next };
      },
    },
  } as unknown as SourceScanOptions);

  /** The offsets that a scan receives. */
  async scan(from: number, to: number | (() => number), emitterId = 'dc_a'): Promise<readonly number[]> {
    const offsets: number[] = [];
    const end = typeof to === 'number' ? () => to : to;
    await this.scans.scan({ emitterId, from, to: end, shouldContinue: () => true }, ({ offset }) =>
      offsets.push(offset),
    );
    return offsets;
  }

  read(emitterId = 'dc_a'): number {
    return this.counts.get(emitterId) ?? 0;
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

test('a thousand scans that begin together read once what they share, and each gets its own range', async () => {
  const log = new Log();
  const scans = Array.from({ length: 1_000 }, (_, n) => log.scan(n % 3, 2_000 + n));
  for (const [n, offsets] of (await Promise.all(scans)).entries()) {
    expect([n, offsets[0], offsets.at(-1), offsets.length]).toEqual([n, n % 3, 1_999 + n, 2_000 + n - (n % 3)]);
  }
  expect(log.read()).toBeLessThan(2 * 3_000);
  expect(log.read('dc_b')).toBe(0);
});

test('those that come while the source is read are gathered, and read it once more together', async () => {
  const log = new Log();
  const late: Promise<readonly number[]>[] = [];
  log.onRead = (from) => {
    if (from > 0 && late.length < 50) late.push(log.scan(0, 5_000));
  };
  expect(await log.scan(0, 5_000)).toEqual(range(0, 5_000));
  for (const offsets of await Promise.all(late)) expect(offsets).toEqual(range(0, 5_000));
  expect(late.length).toBeGreaterThan(9);
  expect(log.read()).toBeLessThan(4 * 5_000);
});

test('a short scan far ahead does not wait for a long one, and another source for none', async () => {
  const log = new Log();
  const gate = Promise.withResolvers<void>();
  log.onRead = (from) => (from >= 512 && from < 100_000 ? gate.promise : undefined);
  const long = log.scan(0, 50_000);
  expect(await log.scan(0, 100, 'dc_b')).toEqual(range(0, 100));
  expect(await log.scan(100_000, 100_010)).toEqual(range(100_000, 100_010));
  gate.resolve();
  expect(await long).toHaveLength(50_000);
});

test('a scan whose end moves gets everything up to where it ends at last', async () => {
  const log = new Log();
  let end = 1_000;
  log.onRead = () => {
    end = Math.min(end + 100, 2_000);
  };
  const [moving, fixed] = await Promise.all([log.scan(0, () => end), log.scan(10, 700)]);
  expect([moving, fixed]).toEqual([range(0, end), range(10, 700)]);
});

test('a scan that does not go on ends, and the others beside it get all of theirs', async () => {
  const log = new Log();
  let takenCount = 0;
  const shouldContinue = (): boolean => takenCount < 600;
  const wideScan = { emitterId: 'dc_a', from: 0, to: () => 1_000_000, shouldContinue };
  const [, secondScan] = await Promise.all([log.scans.scan(wideScan, () => takenCount++), log.scan(0, 3_000)]);
  expect([takenCount, secondScan.length]).toEqual([1_024, 3_000]);
  expect(log.read()).toBeLessThan(4_000);
});

test('an error of the log reaches each scan that reads together, and later ones read again', async () => {
  const log = new Log();
  log.onRead = (from) => {
    if (from > 0) throw new Error('away');
  };
  const results = await Promise.allSettled([log.scan(0, 2_000), log.scan(1, 2_000)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  log.onRead = () => {};
  expect(await log.scan(0, 2_000)).toHaveLength(2_000);
});

test('nothing is read of an empty range', async () => {
  const log = new Log();
  expect(await log.scan(5, 5)).toEqual([]);
  expect(log.read()).toBe(0);
});

const workspaces = ['o_1', 'o_2', 'o_3'];
const ownOf = (workspace: string, to: number): number[] =>
  range(0, to).filter((offset) => workspaces[offset % 3] === workspace);

test('each workspace gets its own records in order and once, whoever else reads, and one without a workspace all', async () => {
  const log = new Log();
  log.workspaceAt = (offset) => workspaces[offset % 3] ?? '';
  let end = 2_000;
  const late: Promise<readonly number[]>[] = [];
  const scan = async (workspace?: string): Promise<readonly number[]> => {
    const offsets: number[] = [];
    const wideScan = { emitterId: 'dc_*', from: 0, to: () => end, shouldContinue: () => true };
    const own = workspace === undefined ? {} : { workspace };
    await log.scans.scan({ ...wideScan, ...own }, ({ offset }) => offsets.push(offset));
    return offsets;
  };
  log.onRead = (from) => {
    end = Math.min(end + 100, 3_000);
    if (from === 512) late.push(scan('o_2'));
  };
  const many = Array.from({ length: 12 }, () => scan('o_1'));
  const [two, none, all] = await Promise.all([scan('o_2'), scan('o_4'), scan()]);
  expect([two, none, all]).toEqual([ownOf('o_2', end), [], range(0, end)]);
  for (const offsets of await Promise.all(many)) expect(offsets).toEqual(ownOf('o_1', end));
  expect(await Promise.all(late)).toEqual([ownOf('o_2', 3_000)]);
});

test('thousands of searches of a workspace are not handed what others emit, and few of them are asked for a page', async () => {
  const log = new Log();
  log.workspaceAt = (offset) => (offset % 2 === 0 ? 'o_1' : 'o_3');
  const [others, pages] = [3_000, 10];
  const handed = { own: 0, others: 0 };
  let checks = 0;
  const wideScan = { emitterId: 'dc_*', from: 0, to: () => pages * 512 };
  const shouldContinue = (): boolean => ++checks > 0;
  const theirs = Array.from({ length: others }, () =>
    log.scans.scan({ ...wideScan, workspace: 'o_2', shouldContinue }, () => handed.others++),
  );
  await log.scans.scan({ ...wideScan, workspace: 'o_1', shouldContinue: () => true }, () => handed.own++);
  await Promise.all(theirs);
  expect(handed).toEqual({ own: pages * 256, others: 0 });
  // Calls for each page for the informed members, and once for all at the end; two each, when informed and afterwards.
  expect(checks).toBeLessThan(2 * (pages * 540 + others));
});

test('of thousands that find nothing each is told how far the search is, and one that does not go on ends', async () => {
  const log = new Log();
  log.workspaceAt = () => 'o_3';
  const marks = Array.from({ length: 2_000 }, () => [0]);
  let [closed, endedAt, read] = [false, 0, 0];
  log.onRead = (from) => {
    closed = from >= 512;
    read = from;
  };
  const wideScan = { emitterId: 'dc_*', workspace: 'o_1', from: 0, to: () => 20_000 };
  const scans = marks.map((own, n) => {
    const shouldContinue = (): boolean => n < marks.length - 1 || !closed;
    const scan = log.scans.scan({ ...wideScan, shouldContinue, onProgress: (next) => own.push(next) }, () => {});
    return n < marks.length - 1 ? scan : scan.then(() => (endedAt = read));
  });
  await Promise.all(scans);
  expect(endedAt).toBeLessThan(6 * 512);
  const informed = marks.slice(0, -1);
  const steps = informed.flatMap((own) => own.slice(1).map((mark, n) => mark - (own[n] ?? 0)));
  expect([Math.min(...informed.map((own) => own.at(-1) ?? 0)), Math.min(...steps) > 0]).toEqual([20_000, true]);
  expect(Math.max(...steps)).toBeLessThanOrEqual(6 * 512);
});

test('a search ends while hundreds of another workspace, which are handed all that it emits, have most before them', async () => {
  const log = new Log();
  log.workspaceAt = () => 'o_2';
  const [others, records] = [600, 5_120];
  let handed = 0;
  const wideScan = { emitterId: 'dc_*', from: 0, to: () => records, shouldContinue: () => true };
  const theirs = Array.from({ length: others }, () =>
    log.scans.scan({ ...wideScan, workspace: 'o_2' }, () => handed++),
  );
  await log.scans.scan({ ...wideScan, workspace: 'o_1' }, () => {});
  expect(handed).toBeLessThan((others * records) / 4);
  await Promise.all(theirs);
  expect([handed, log.read('dc_*')]).toEqual([others * records, 2 * records]);
});
