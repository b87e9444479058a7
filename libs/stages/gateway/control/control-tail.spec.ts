import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import { samples } from '../../../domain/record/samples.fake.ts';
import { CheckedLog } from '../../loop/reading/checked-log.ts';
import { ControlTail } from './control-tail.ts';
import { CoalescedCheck } from './coalesced-check.ts';

const record = (id: string) => ({
  id,
  type: 'WebhookDefined',
  version: 1,
  key: `wh_${id}`,
  data: samples.webhooks.WebhookDefined,
  at: 1,
  workspace: 'o_1',
  correlationId: 'c',
  causationId: 'c',
});

async function append(log: MemoryLog, ...ids: string[]): Promise<void> {
  const writer = await log.own('lifecycle', 0);
  await writer.append(
    ids.map((id) => ({ topic: 'webhooks' as const, partition: 0, record: record(id) })),
    {},
  );
}

class Seen {
  readonly ids: string[] = [];
  refuse: string | undefined;
  accept({ id }: StoredRecord): void {
    if (id === this.refuse) throw new Error(`refused ${id}`);
    this.ids.push(id);
  }
}

const opened: ControlTail[] = [];
function following(log: MemoryLog, onFatal: (error: unknown) => void = () => {}): [ControlTail, Seen] {
  const seen = new Seen();
  const checked = new CheckedLog(log, { reportMalformed: () => {}, reportNewer: () => {} });
  // No error of a follower is tolerated here.
  const tail = new ControlTail({ log: checked, tolerate: (_record, work) => work(), followers: [seen], onFatal });
  opened.push(tail);
  return [tail, seen];
}
afterEach(async () => {
  for (const tail of opened.splice(0)) await tail.stop();
});

test('passes on the records on the log at the start, and later ones once caught up', async () => {
  const log = new MemoryLog({ partitions: 2 });
  await append(log, 'a', 'b');
  const [tail, seen] = following(log);
  await tail.start();
  expect(seen.ids).toEqual(['a', 'b']);
  await append(log, 'c');
  expect(await tail.waitUntilCaughtUp(5_000)).toBe(true);
  expect(seen.ids).toEqual(['a', 'b', 'c']);
  expect(tail.lastOffset('webhooks', 0)).toBe(log.records('webhooks').at(-1)?.offset);
  expect(tail.lastOffset('components', 1)).toBe(-1);
});

test('passes on only outcomes written after the start', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const writer = await log.own('lifecycle', 0);
  const tell = async (id: string): Promise<void> => {
    const deleted = { ...record(id), type: 'WebhookDeleted', data: samples.listeners.WebhookDeleted };
    await writer.append([{ topic: 'listeners', partition: 0, record: deleted }], {});
  };
  await tell('before');
  const [tail, seen] = following(log);
  await tail.start();
  await tell('after');
  expect(await tail.waitUntilCaughtUp(5_000)).toBe(true);
  expect(seen.ids).toEqual(['after']);
});

test('records of a newer program hide outcomes only on topics with outcomes of commands', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const [tail] = following(log);
  await tail.start();
  const writer = await log.own('lifecycle', 0);
  const newer = { ...record('newer'), version: 99 };
  await writer.append([{ topic: 'webhooks', partition: 0, record: newer }], {});
  while (tail.newerRecord === undefined) await sleep(10);
  expect(tail.hidesOutcomes).toBe(false);
  await writer.append([{ topic: 'listeners', partition: 0, record: newer }], {});
  while (!tail.hidesOutcomes) await sleep(10);
  expect(tail.newerRecord?.topic).toBe('webhooks');
});

test('resumes a tail that failed for a while where it stopped, and reads each record once', async () => {
  const log = new MemoryLog({ partitions: 2 });
  await append(log, 'a');
  const [tail, seen] = following(log);
  await tail.start();
  const open = log.tail.bind(log);
  let failures = 2;
  log.tail = (from, bounds) => {
    if (failures-- > 0) throw new PortError('unavailable', 'not now');
    return open(from, bounds);
  };
  await append(log, 'b');
  expect(await tail.waitUntilCaughtUp(5_000)).toBe(true);
  expect(seen.ids).toEqual(['a', 'b']);
});

test('does not report being caught up when a slow tail returns nothing', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const open = log.tail.bind(log);
  const gate = Promise.withResolvers<void>();
  log.tail = (from, bounds) => {
    const slow = open(from, bounds);
    const next = slow.next.bind(slow);
    slow.next = async (waitMs) => {
      const isOpen = await Promise.race([gate.promise.then(() => true), sleep(waitMs, false)]);
      return isOpen ? next(waitMs) : [];
    };
    return slow;
  };
  const [tail, seen] = following(log);
  await tail.start();
  await append(log, 'a');
  expect(await tail.waitUntilCaughtUp(600)).toBe(false);
  expect(seen.ids).toEqual([]);
  gate.resolve();
  expect(await tail.waitUntilCaughtUp(5_000)).toBe(true);
  expect(seen.ids).toEqual(['a']);
});

test('catches up even when offsets before the end hold no record', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const end = log.end.bind(log);
  log.end = async (topic, partition) => (await end(topic, partition)) + 1;
  await append(log, 'a');
  const [tail, seen] = following(log);
  await tail.start();
  expect(seen.ids).toEqual(['a']);
  expect(await tail.waitUntilCaughtUp(5_000)).toBe(true);
});

test.each(['end', 'read'] as const)('stops waiting after the requested time when log.%s hangs', async (call) => {
  const log = new MemoryLog({ partitions: 2 });
  const [tail, seen] = following(log);
  await tail.start();
  const end = log.end.bind(log);
  // A gap at the end, which the tail can only pass by reading it.
  log.end = async (topic, partition) => (await end(topic, partition)) + 1;
  const gate = Promise.withResolvers<never>();
  const answering = jest.spyOn(log, call).mockReturnValue(gate.promise);
  const late = new AbortController();
  const waited = Promise.race([tail.waitUntilCaughtUp(300), sleep(3_000, 'late', { signal: late.signal })]);
  expect(await waited).toBe(false);
  late.abort();
  // Nobody listens for this failure any more.
  gate.reject(new PortError('unavailable', 'at last'));
  answering.mockRestore();
  await append(log, 'a');
  expect(await tail.waitUntilCaughtUp(5_000)).toBe(true);
  expect(seen.ids).toEqual(['a']);
});

test('an error thrown by a follower fails the start, and after the start is reported as fatal', async () => {
  const log = new MemoryLog({ partitions: 2 });
  await append(log, 'a');
  const fatal: unknown[] = [];
  const [refused, seen] = following(log, (error) => fatal.push(error));
  seen.refuse = 'a';
  await expect(refused.start()).rejects.toThrow('refused a');
  expect(fatal).toEqual([]);
  const [tail, later] = following(log, (error) => fatal.push(error));
  await tail.start();
  later.refuse = 'b';
  await append(log, 'b');
  await expect(tail.waitUntilCaughtUp(5_000)).rejects.toThrow('refused b');
  expect(fatal).toEqual([new Error('refused b')]);
  expect(tail.healthy).toBe(false);
});

test('callers that ask while a check runs share the result of the next check', async () => {
  const ends: ((result: boolean) => void)[] = [];
  const coalesced = new CoalescedCheck(() => new Promise((resolve) => ends.push(resolve)));
  const first = coalesced.run();
  const second = coalesced.run();
  expect(coalesced.run()).toBe(second);
  ends[0]?.(false);
  expect(await first).toBe(false);
  expect(ends).toHaveLength(2);
  const third = coalesced.run();
  expect(third).not.toBe(second);
  ends[1]?.(true);
  expect(await second).toBe(true);
  await new Promise(setImmediate);
  ends[2]?.(true);
  expect(await third).toBe(true);
  expect(ends).toHaveLength(3);
});
