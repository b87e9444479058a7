import { statSync } from 'node:fs';
import { sizes } from '../../domain/sizes.ts';
import { codeOf, outgoing, outgoingOfBytes, readRecords, wide, requestAll } from '../contract/harness.ts';
import { makeDirectory, type Directory } from './fixture/directory.ts';

let directory: Directory;
beforeEach(() => {
  directory = makeDirectory();
});
afterEach(() => directory.remove());

test('concurrent appends share a commit', async () => {
  const log = await directory.openFaulty();
  const writers = await Promise.all([0, 1, 2, 3].map((p) => log.own('runtime', p)));
  const before = directory.commits();
  const appends = Array.from({ length: 25 }, () =>
    writers.map((writer, p) => writer.append([outgoing('runs', p)], {})),
  );
  await Promise.all(appends.flat());
  expect(directory.commits() - before).toBeLessThan(50);
  await log.close();
});

test('a fenced append does not affect others in the same commit', async () => {
  const log = await directory.openFaulty();
  const stalled = await log.own('runtime', 1);
  const owner = await log.own('runtime', 1);
  const before = directory.commits();
  const [fenced, appended, requested] = await Promise.all([
    codeOf(stalled.append([outgoing('runs', 1), outgoing('channels', 1)], {})),
    owner.append([outgoing('runs', 1)], {}),
    log.request(outgoing('commands')),
  ]);
  expect(directory.commits() - before).toBeLessThanOrEqual(3);
  expect(fenced).toBe('fenced');
  expect([appended, requested]).toEqual([[expect.any(Number)], expect.any(Number)]);
  expect((await log.read('runs', 1, 0, wide)).records).toHaveLength(1);
  expect((await log.read('channels', 1, 0, wide)).records).toHaveLength(0);
  await log.close();
});

test('when the commit thread dies, waiting appends have an unknown outcome and the log is closed', async () => {
  const log = await directory.openFaulty();
  const writer = await log.own('runtime', 1);
  const tail = log.tail([{ topic: 'runs', partition: 1, offset: 0 }], wide);
  const waiting = tail.next(60_000);
  directory.failNext('thread dies');
  expect(await codeOf(writer.append([outgoing('runs', 1)], {}))).toBe('unknown_outcome');
  expect(await waiting).toEqual([]);
  await expect(log.request(outgoing('commands'))).rejects.toMatchObject({
    code: 'closed',
    message: expect.stringMatching(/commit thread.*ended.*start again/),
  });
  expect(await codeOf(writer.recover())).toBe('closed');
  await log.close();
  const reopened = await directory.open();
  await reopened.request(outgoing('commands'));
  await reopened.close();
});

test('the -wal file stays small however large one append is', async () => {
  const log = await directory.open();
  const rows = Array.from({ length: 10 }, () => outgoingOfBytes('commands', sizes.recordBytes));
  let largest = 0;
  for (let round = 0; round < 12; round++) {
    await requestAll(log, [...rows, outgoing('commands')]);
    largest = Math.max(largest, statSync(`${directory.file}-wal`).size);
  }
  expect(statSync(directory.file).size).toBeGreaterThan(40 * 1024 * 1024);
  expect(largest).toBeLessThan(80 * 1024 * 1024);
  await log.close();
}, 30_000);

test('the -wal file stays small however many small appends there are', async () => {
  const log = await directory.open();
  const writer = await log.own('runtime', 1);
  let largest = 0;
  // Some 100 MiB of pages. However late the checkpoint thread gets a processor, commits wait for it above 64 MiB.
  for (let round = 0; round < 96; round++) {
    for (let i = 0; i < 25; i++)
      await writer.append([outgoing('channels', 1), outgoing('runs', 1), outgoing('state', 1)], { 'triggers/1': i });
    largest = Math.max(largest, statSync(`${directory.file}-wal`).size);
  }
  expect(largest).toBeLessThan(72 * 1024 * 1024);
  await log.close();
}, 30_000);

test('a large append lets others commit while it is packed, but not what its own writer appends after it', async () => {
  const log = await directory.open();
  const [large, other] = await Promise.all([log.own('runtime', 1), log.own('runtime', 2)]);
  const ended: string[] = [];
  const noted = (name: string, appended: Promise<unknown>): Promise<unknown> => appended.then(() => ended.push(name));
  const records = Array.from({ length: 80 }, () => outgoing('channels', 1, { data: 'x'.repeat(64 * 1024) }));
  await Promise.all([
    noted('large', large.append(records, {})),
    noted('its next', large.append([outgoing('runs', 1)], {})),
    noted('request', log.request(outgoing('commands'))),
    noted('other', other.append([outgoing('runs', 2)], {})),
  ]);
  expect(ended.slice(0, 2).sort()).toEqual(['other', 'request']);
  expect(ended.slice(2)).toEqual(['large', 'its next']);
  await log.close();
});

test('small and large records are read back unchanged, from memory and from the file', async () => {
  const log = await directory.open();
  const sizesBytes = [400, 600, 40_000, 500, 31_000, 2_000, 700_000, 450];
  const records = sizesBytes.map((bytes) => outgoingOfBytes('commands', bytes));
  await requestAll(log, records);
  const tail = log.tail([{ topic: 'commands', partition: 0, offset: 0 }], wide);
  const offsets = await requestAll(log, records);
  await tail.close();
  const where = { topic: 'commands', partition: 0, from: offsets[0] ?? 0 } as const;
  const fromMemory = await readRecords(log, where, records.length);
  await log.close();
  const reopened = await directory.open();
  expect(await readRecords(reopened, where, records.length)).toEqual(fromMemory);
  expect(fromMemory.map(({ offset, data }) => ({ offset, data }))).toEqual(
    records.map(({ record }, i) => ({ offset: offsets[i], data: record.data })),
  );
  for (const [i, offset] of offsets.entries()) {
    const page = await reopened.read('commands', 0, offset, { recordsMax: 2, bytesMax: 1_000, to: offset + 3 });
    expect(page.records[0]?.id).toBe(records[i]?.record.id);
  }
  await reopened.close();
});
