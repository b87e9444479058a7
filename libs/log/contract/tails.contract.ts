// Contract: a tail returns the records since the last call, wakes at once, and can be paused partition by partition.
import type { Log, Page, PageBounds, Position, Tail } from '../log.ts';
import {
  deadlineMs,
  ids,
  idsOf,
  outgoing,
  outgoingOfBytes,
  wide,
  type OpenLog,
  withLog,
  requestAll,
} from './harness.ts';

export function describeTails(open: OpenLog): void {
  describe('tails', () => {
    let log: Log;
    const tails: Tail[] = [];
    withLog(open, (opened) => {
      log = opened.log;
    });
    afterEach(async () => {
      await Promise.all(tails.splice(0).map((tail) => tail.close()));
    });

    async function atEnd(partitions: readonly number[], bounds: PageBounds = wide): Promise<Tail> {
      const from: Position[] = [];
      for (const partition of partitions)
        from.push({ topic: 'triggers', partition, offset: await log.end('triggers', partition) });
      const tail = log.tail(from, bounds);
      tails.push(tail);
      return tail;
    }

    async function collect(tail: Tail, count: number): Promise<readonly Page[]> {
      const pages: Page[] = [];
      const until = Date.now() + deadlineMs;
      const got = (): number => pages.reduce((sum, page) => sum + page.records.length, 0);
      while (got() < count && Date.now() < until) pages.push(...(await tail.next(deadlineMs)));
      expect(got()).toBe(count);
      return pages;
    }

    const recordsOf = (pages: readonly Page[]): readonly string[] => pages.flatMap((page) => ids(page.records));

    test('a tail gives existing and later records, in order', async () => {
      const tail = await atEnd([1]);
      const before = [outgoing('triggers', 1), outgoing('triggers', 1)];
      await requestAll(log, before);
      expect(recordsOf(await collect(tail, 2))).toEqual(idsOf(before));
      const later = outgoing('triggers', 1);
      const next = collect(tail, 1);
      await log.request(later);
      expect(recordsOf(await next)).toEqual(idsOf([later]));
    });

    test('an append wakes a waiting tail long before its wait is over', async () => {
      const tail = await atEnd([1]);
      const waiting = tail.next(60_000);
      await log.request(outgoing('triggers', 1));
      expect(await waiting).toHaveLength(1);
    });

    test('a tail gives an empty list when no record arrives in time', async () => {
      const tail = await atEnd([1]);
      await log.request(outgoing('triggers', 2));
      expect(await tail.next(20)).toEqual([]);
    });

    test('several partitions are followed at once, each in order', async () => {
      const tail = await atEnd([1, 2, 3]);
      const records = Array.from({ length: 30 }, (_, i) => outgoing('triggers', 1 + (i % 3)));
      await requestAll(log, records);
      const pages = await collect(tail, 30);
      for (const partition of [1, 2, 3]) {
        const expected = records.filter((record) => record.partition === partition);
        expect(recordsOf(pages.filter((page) => page.partition === partition))).toEqual(idsOf(expected));
      }
    });

    test('records that arrive while a page is handled are not lost', async () => {
      const tail = await atEnd([1]);
      const records = Array.from({ length: 40 }, () => outgoing('triggers', 1));
      const collected = collect(tail, 40);
      for (const record of records) await log.request(record);
      expect(recordsOf(await collected)).toEqual(idsOf(records));
    });

    test('each page stays within the bounds', async () => {
      const tail = await atEnd([1], { recordsMax: 3, bytesMax: 5000 });
      const records = Array.from({ length: 8 }, () => ({ ...outgoingOfBytes('triggers', 2000), partition: 1 }));
      await requestAll(log, records);
      const pages = await collect(tail, 8);
      expect(recordsOf(pages)).toEqual(idsOf(records));
      for (const page of pages) expect(page.records.length).toBeLessThanOrEqual(2);
      expect([pages[0]?.more, pages.at(-1)?.more]).toEqual([true, undefined]);
    });

    test('a paused partition gives nothing until it is resumed, and then all of it', async () => {
      const tail = await atEnd([1, 2]);
      tail.pause('triggers', 1);
      const [paused, other, later] = [outgoing('triggers', 1), outgoing('triggers', 2), outgoing('triggers', 1)];
      await requestAll(log, [paused, other]);
      expect(recordsOf(await collect(tail, 1))).toEqual(idsOf([other]));
      await log.request(later);
      expect(await tail.next(20)).toEqual([]);
      tail.resume('triggers', 1);
      expect(recordsOf(await collect(tail, 2))).toEqual(idsOf([paused, later]));
    });

    test('resuming a partition wakes a waiting tail', async () => {
      const tail = await atEnd([1]);
      tail.pause('triggers', 1);
      const waiting = collect(tail, 1);
      await log.request(outgoing('triggers', 1));
      tail.resume('triggers', 1);
      expect(await waiting).toHaveLength(1);
    });

    test('two tails get the same, each at its own position', async () => {
      const [one, two] = [await atEnd([1]), await atEnd([1])];
      const records = [outgoing('triggers', 1), outgoing('triggers', 1)];
      await requestAll(log, records);
      expect(recordsOf(await collect(one, 2))).toEqual(idsOf(records));
      expect(recordsOf(await collect(two, 2))).toEqual(idsOf(records));
    });

    test('closing ends a wait with an empty list', async () => {
      const tail = await atEnd([1]);
      const waiting = tail.next(60_000);
      await tail.close();
      expect(await waiting).toEqual([]);
    });

    test('a tail gives acknowledged appends of a writer completely', async () => {
      const writer = await log.own('runtime', 1);
      const from = await log.end('channels', 1);
      const tail = log.tail([{ topic: 'channels', partition: 1, offset: from }], wide);
      tails.push(tail);
      const records = [outgoing('channels', 1), outgoing('channels', 1)];
      const collected = collect(tail, 2);
      const offsets = await writer.append(records, {});
      const found = (await collected).flatMap((page) => page.records);
      expect(found.map(({ id, offset }) => ({ id, offset }))).toEqual(
        records.map(({ record }, i) => ({ id: record.id, offset: offsets[i] })),
      );
    });
  });
}
