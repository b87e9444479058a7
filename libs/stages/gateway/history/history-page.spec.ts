import { hash } from 'node:crypto';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { signedTopics } from '../../../domain/flow.ts';
import type { CloudEvent } from '../../../domain/history/cloud-event.ts';
import { timedId } from '../../../domain/id.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import { outgoing } from '../../../log/contract/harness.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import { historyCursor, historyCursorCharsMax, readHistoryCursor, type HistoryPosition } from './history-cursor.ts';
import { historyPage } from './history-page.ts';
import { allLanes } from './lanes.ts';
import { chainEnd, type Question } from './question.ts';

const partitions = 2;
const question: Question = { workspace: 'o_1' };
const everything: HistoryPosition = {
  lanes: allLanes(partitions).map((lane) => ({ ...lane, offset: undefined })),
  since: 0,
};

interface Written {
  readonly topic: 'commands' | 'triggers';
  readonly partition: 0 | 1;
  readonly at: number;
}

const writtenAnywhere = fc.record<Written>({
  topic: fc.constantFrom('commands', 'triggers'),
  partition: fc.constantFrom(0, 1),
  at: fc.integer({ min: 1, max: 1_000 }),
});

const placed = ({ topic, partition, at }: Written, workspace = 'o_1'): OutgoingOn<'commands' | 'triggers'> =>
  outgoing(topic, topic === 'commands' ? 0 : partition, { at, workspace }) as OutgoingOn<'commands' | 'triggers'>;

/** Reads to the end page by page, and encodes and decodes each position as its cursor. */
async function readOn(
  log: MemoryLog,
  {
    searched = question,
    limit = 3,
    from = everything,
  }: { searched?: Question; limit?: number; from?: HistoryPosition } = {},
): Promise<{ readonly events: readonly CloudEvent[]; readonly place: HistoryPosition }> {
  const events: CloudEvent[] = [];
  for (let position = from; ;) {
    const page = await historyPage(position, { log, question: searched, limit });
    events.push(...page.events);
    position = readHistoryCursor(searched, historyCursor(searched, page.position, partitions), partitions);
    if (page.isEnd) return { events, place: position };
  }
}

const idsOf = (events: readonly CloudEvent[]): readonly string[] => events.map(({ id }) => id);

test('returns the records of all lanes once each and ordered by time, for any page size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writtenAnywhere), fc.integer({ min: 1, max: 7 }), async (written, limit) => {
      const log = new MemoryLog({ partitions });
      const requests = written.toSorted((a, b) => a.at - b.at).map((one) => placed(one));
      for (const request of requests) await log.request(request);
      const { events } = await readOn(log, { limit });
      expect(idsOf(events).toSorted()).toEqual(requests.map(({ record }) => record.id).toSorted());
      expect(events.map(({ time }) => time)).toEqual(events.map(({ time }) => time).toSorted());
    }),
    { numRuns: 50 },
  );
});

test('records appended while somebody reads are returned once, even with older times', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(writtenAnywhere, fc.boolean())), async (steps) => {
      const log = new MemoryLog({ partitions });
      const eventIds: string[] = [];
      let position = everything;
      for (const [written, reads] of steps) {
        await log.request(placed(written));
        if (!reads) continue;
        const page = await historyPage(position, { log, question, limit: 2 });
        eventIds.push(...idsOf(page.events));
        ({ position } = page);
      }
      const { events } = await readOn(log, { from: position });
      eventIds.push(...idsOf(events));
      const all = (['commands', 'triggers'] as const).flatMap((topic) => log.records(topic));
      expect(eventIds.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    }),
    { numRuns: 50 },
  );
});

test('leaves out the records of other workspaces', async () => {
  const log = new MemoryLog({ partitions });
  const [mine, theirs] = ['o_1', 'o_2'].map((workspace) =>
    placed({ topic: 'commands', partition: 0, at: 1 }, workspace),
  );
  for (const one of [theirs, mine, theirs]) if (one !== undefined) await log.request(one);
  expect(idsOf((await readOn(log)).events)).toEqual([mine?.record.id]);
});

test('returns only the records within the given times', async () => {
  const log = new MemoryLog({ partitions });
  const at = (minute: number): number => minute * 60_000;
  const written = Array.from({ length: 60 }, (_, minute) =>
    placed({ topic: 'triggers', partition: 1, at: at(minute) }),
  );
  for (const one of written) await log.request(one);
  const of = { ...question, from: at(20), to: at(30) };
  const from = { ...everything, since: at(19) };
  expect(idsOf((await readOn(log, { searched: of, from })).events)).toEqual(
    written.slice(20, 30).map(({ record }) => record.id),
  );
});

test('searches a chain for a week after its start, unless a time is given', async () => {
  const log = new MemoryLog({ partitions });
  const day = 24 * 3_600_000;
  const began = 1_700_000_000_000;
  const chainId = timedId('req_0000000000000000', began);
  const written = Array.from({ length: 100 }, (_, n) =>
    placed({ topic: 'triggers', partition: 1, at: began + n * day }),
  );
  for (const one of written) await log.request(one);
  let read = 0;
  const reading = log.read.bind(log);
  log.read = async (...at) => {
    const page = await reading(...at);
    read += page.records.length;
    return page;
  };
  const from = { ...everything, since: began };
  const of = { ...question, chainId };
  const page = await historyPage(from, { log, question: of, limit: 10, until: chainEnd(of) });
  expect(page).toMatchObject({ events: [], isEnd: true, searchedTo: began + 7 * day });
  expect(read).toBeLessThan(50);
  expect(chainEnd({ ...of, from: began + 30 * day })).toBe(began + 37 * day);
  expect([chainEnd({ ...of, to: began + 90 * day }), chainEnd(question)]).toEqual([undefined, undefined]);
});

test('filters by type, chain and subject', async () => {
  const log = new MemoryLog({ partitions });
  const chain = chainFrom('req_1', 'key_1');
  const one = outgoing('commands', 0, { ...chain, workspace: 'o_1', type: 'DeploySource', key: 'dc_1' });
  const other = outgoing('commands', 0, {
    ...chainFrom('req_2', 'key_1'),
    workspace: 'o_1',
    data: { sourceId: 'dc_1' },
  });
  for (const each of [one, other]) await log.request(each);
  const found = async (of: Partial<Question>) =>
    idsOf((await readOn(log, { searched: { ...question, ...of } })).events);
  const [first, second] = [one.record.id, other.record.id];
  expect(await found({ type: 'DeploySource' })).toEqual([first]);
  expect(await found({ chainId: 'req_2' })).toEqual([second]);
  expect(await found({ subject: 'dc_1' })).toEqual([first, second]);
  expect(await found({ subject: 'key_1' })).toEqual([first, second]);
  expect(await found({ subject: 'dc_2' })).toEqual([]);
});

test('a page of large records ends early, and the next ones continue', async () => {
  const log = new MemoryLog({ partitions });
  const large = Array.from({ length: 6 }, (_, n) =>
    outgoing('commands', 0, { workspace: 'o_1', at: n, data: 'x'.repeat(400_000) }),
  );
  for (const one of large) await log.request(one);
  const page = await historyPage(everything, { log, question, limit: 1_000 });
  expect([page.events.length, page.isEnd]).toEqual([3, false]);
  expect(idsOf((await readOn(log, { limit: 1_000 })).events)).toEqual(large.map(({ record }) => record.id));
});

test('skips unreadable records', async () => {
  const log = new MemoryLog({ partitions });
  const odd = [NaN, 1e300, 'soon', null].map((at) => outgoing('commands', 0, { workspace: 'o_1', at: at as number }));
  const good = outgoing('commands', 0, { workspace: 'o_1' });
  for (const one of [...odd, good]) await log.request(one);
  // The product never appends such records, but other programs might.
  const foreign = ['id', 'key', 'correlationId', 'causationId'].map((field) => ({ ...good.record, [field]: 7 }));
  const read = log.read.bind(log);
  jest.spyOn(log, 'read').mockImplementation(async (...asked) => {
    const page = await read(...asked);
    const more = foreign.map((record, n) => ({ ...record, topic: 'commands', partition: 0, offset: -4 + n }));
    return page.records.length === 0 ? page : { ...page, records: [...(more as never[]), ...page.records] };
  });
  expect(idsOf((await readOn(log)).events)).toEqual([good.record.id]);
  expect(idsOf((await readOn(log, { searched: { ...question, subject: 'x', chainId: 'x' } })).events)).toEqual([]);
});

test('a cursor keeps the place of every lane and is valid only for its own question', () => {
  const offsets = fc.array(fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 }), { nil: undefined }), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(offsets, fc.nat(), fc.integer({ min: 1, max: 8 }), (each, since, step) => {
      const lanes = allLanes(16)
        .filter((_, index) => index % step === 0)
        .slice(0, each.length)
        .map((lane, index) => ({ ...lane, offset: each[index] }));
      const cursor = historyCursor(question, { lanes, since }, 16);
      expect(readHistoryCursor(question, cursor, 16)).toEqual({ lanes, since });
      const others: Question[] = [{ workspace: 'o_2' }, { ...question, topic: 'runs' }, { ...question, to: 1 }];
      for (const other of others) expect(() => readHistoryCursor(other, cursor, 16)).toThrow(/cursor/);
      expect(() => readHistoryCursor(question, cursor, 8)).toThrow(/cursor/);
      expect(() => readHistoryCursor(question, cursor.slice(0, -2), 16)).toThrow(/cursor/);
    }),
  );
  for (const text of ['', 'x', 'nonsense', '%%%', 'A'.repeat(5_000)])
    expect(() => readHistoryCursor(question, text, 16)).toThrow(/cursor/);
});

test('a cursor that no request could carry is refused with what to ask instead', () => {
  const cursorAt = (topic: string | undefined, offset: number): string => {
    const lanes = allLanes(1_000).filter((lane) => topic === undefined || lane.topic === topic);
    return historyCursor(question, { lanes: lanes.map((lane) => ({ ...lane, offset })), since: 1e12 }, 1_000);
  };
  expect(() => cursorAt(undefined, 0)).toThrow(/ask one `topic` at a time/);
  for (const topic of signedTopics) expect(cursorAt(topic, 1e13).length).toBeLessThanOrEqual(historyCursorCharsMax);
});

test.each<[of: string, body: readonly number[]]>([
  ['a beginning beyond every number', [...Array<number>(200).fill(255), 127]],
  ['a beginning that is no number', [...Array<number>(200).fill(128), 0]],
  ['an offset beyond every number', [0, 1, ...Array<number>(200).fill(255), 127]],
  ['an offset that numbers do not hold exactly', [0, 1, ...Array<number>(8).fill(255), 127]],
  ['the same lane many times', [0, 1, 5, 0, 5, 0, 5]],
])('refuses a cursor with %s, even if its digest fits', (_, body) => {
  const asked = JSON.stringify([question.workspace, ...Array<null>(6).fill(null), 16]);
  const digest = hash('sha256', Buffer.from([...Buffer.from(asked), 0, ...body]), 'buffer').subarray(0, 8);
  const cursor = Buffer.from([...digest, ...body]).toString('base64url');
  expect(() => readHistoryCursor(question, cursor, 16)).toThrow(/cursor/);
});

test('history reads exactly the signed topics', () => {
  expect(new Set(allLanes(1).map(({ topic }) => topic))).toEqual(new Set(signedTopics));
});
