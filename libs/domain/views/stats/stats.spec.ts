// Counts over time: each record once in its minute, the same bytes for the same counts.
import fc from 'fast-check';
import type { RecordOn } from '../../messages-of.ts';
import { filteredView } from './filtered.view.ts';
import { hourMs, hourOf, statsViews, sumOf, type StatsView } from './stats.view.ts';
import type { View } from '../view.ts';
import { dayMs, webhookDaysView, type WebhookDaysView } from './webhook-days.view.ts';
import { webhookStatsView } from './webhook-stats.view.ts';

const hour = hourOf(1_700_000_000_000);
const minute = 60_000;

function record(topic: string, type: string, data: object, at = hour): RecordOn<'channels' | 'runs' | 'deliveries'> {
  const envelope = { id: 'r', version: 1, key: 'k', at, workspace: 'o_1', correlationId: 'c', causationId: 'c' };
  return { ...envelope, type, data, topic, partition: 2, offset: 1 } as never;
}

const event = (at: number, channel = '') => record('channels', 'EventEmitted', { eventId: `${at}-0`, channel }, 5);
const run = (startedAt: number, outcome: string, kind = 'http') =>
  record('runs', 'RunFinished', { startedAt, outcome, kind });
const attempt = (outcome: string, at: number, data: object = {}) =>
  record('deliveries', 'DeliveryAttempted', { outcome, durationMs: 7.4, attempt: 2, ...data }, at);

const viewOf = ({ topic }: ReturnType<typeof record>): View =>
  statsViews.find(({ topics: [of] }) => of === topic) as unknown as View;
const idOf = (one: ReturnType<typeof record>): string | undefined => viewOf(one).idOf(one);
const fold = (records: readonly ReturnType<typeof record>[]): StatsView | undefined =>
  records.reduce<StatsView | undefined>((current, one) => viewOf(one).evolve(current, one) as StatsView, undefined);

test('an event counts in the minute of its id, a run in that of its start, an attempt in that of its end', () => {
  expect(fold([event(hour + minute), event(hour + 2 * minute - 1), event(hour)])).toEqual({
    workspace: 'o_1',
    hour,
    minutes: { 0: { events: 1 }, 1: { events: 2 } },
  });
  expect(fold([run(hour, 'failed'), run(hour, 'succeeded'), run(hour, 'refused')])?.minutes).toEqual({
    0: { runs: 3, failedRuns: 2 },
  });
  const parked = record('deliveries', 'DeliveryParked', {});
  expect(fold([attempt('failed', hour), attempt('delivered', hour), parked])?.minutes).toEqual({
    0: { attempts: 2, failedAttempts: 1, attemptMs: 14, slowestMs: 7, parked: 1 },
  });
});

test('the check of code, refused or not, is not counted as a run', () => {
  expect([run(hour, 'failed', 'describe'), run(hour, 'succeeded', 'describe')].map(idOf)).toEqual([
    undefined,
    undefined,
  ]);
});

test('attempts of the same minute give a sum and the slowest one, in any order', () => {
  const [quick, slow] = [attempt('delivered', hour), attempt('delivered', hour, { durationMs: 90 })];
  const both = { attempts: 2, attemptMs: 97, slowestMs: 90 };
  expect(fold([quick, slow])?.minutes).toEqual({ 0: both });
  expect(JSON.stringify(fold([slow, quick]))).toBe(JSON.stringify(fold([quick, slow])));
});

test('the lag of an event is the wait for its first attempt; retries and replays have none', () => {
  const first = { attempt: 1, eventId: `${hour}-0`, startedAt: hour + 40 };
  const counts = { firstAttempts: 2, lagMs: 50, longestLagMs: 40 };
  const records = [
    attempt('failed', hour, first),
    attempt('delivered', hour, { ...first, startedAt: hour + 10 }),
    attempt('delivered', hour, { ...first, attempt: 2, startedAt: hour + 900 }),
    attempt('delivered', hour, { ...first, replayId: 'rpl_1', startedAt: hour + 900 }),
  ];
  expect(fold(records)?.minutes[0]).toMatchObject({ attempts: 4, ...counts });
  // The clock of another process might be behind.
  expect(fold([attempt('delivered', hour, { ...first, startedAt: hour - 5 })])?.minutes[0]).toMatchObject({
    firstAttempts: 1,
  });
});

test('attempts are counted per webhook; records of anything else are not counted', () => {
  const to = (webhookId: string, outcome = 'delivered') =>
    attempt(outcome, hour + minute, { webhookId }) as RecordOn<'deliveries'>;
  expect(webhookStatsView.idOf(to('wh_1'))).toBe(`wh_1/2/${hour}`);
  const once = webhookStatsView.evolve(undefined, to('wh_1'));
  expect(webhookStatsView.evolve(once, to('wh_1', 'failed'))).toEqual({
    workspace: 'o_1',
    webhookId: 'wh_1',
    hour,
    minutes: { 1: { attempts: 2, failedAttempts: 1, attemptMs: 14, slowestMs: 7 } },
  });
  expect(webhookStatsView.idOf(to('dc_1'))).toBeUndefined();
  const others = [
    record('deliveries', 'EventsFiltered', {}),
    record('deliveries', 'DeliveryDiscarded', { webhookId: 'wh_1' }),
  ];
  expect(others.map((one) => webhookStatsView.idOf(one as RecordOn<'deliveries'>))).toEqual([undefined, undefined]);
});

test('the order of records does not change the stored bytes', () => {
  const [one, two] = [event(hour + 30 * minute), event(hour + 4 * minute)];
  expect(JSON.stringify(fold([one, two]))).toBe(JSON.stringify(fold([two, one])));
});

test('a document holds one hour of one topic and partition, without service channels and parkings by replays', () => {
  expect(idOf(event(hour + 59 * minute))).toBe(`o_1/2/${hour}`);
  expect(idOf(attempt('failed', hour + 60 * minute))).toBe(`o_1/2/${hour + 60 * minute}`);
  expect(idOf(event(hour, '$errors'))).toBeUndefined();
  expect(idOf(record('deliveries', 'DeliveryParked', { replayId: 'rpl_1' }))).toBeUndefined();
  expect(idOf(record('channels', 'EventsDeleted', {}))).toBeUndefined();
});

test('filtered events add up by subscription, hour and partition', () => {
  const filtered = (count: number) =>
    record('deliveries', 'EventsFiltered', {
      subscriptionId: 'sub_1',
      emitterId: 'dc_1',
      count,
    }) as RecordOn<'deliveries'>;
  expect(filteredView.idOf(filtered(3))).toBe(`sub_1/2/${hour}`);
  const once = filteredView.evolve(undefined, filtered(3));
  expect(filteredView.evolve(once, filtered(4))).toEqual({ workspace: 'o_1', subscriptionId: 'sub_1', hour, count: 7 });
  expect(filteredView.idOf(attempt('failed', hour) as RecordOn<'deliveries'>)).toBeUndefined();
});

test('the hours of a day add up to what the minutes of its hours do', () => {
  const day = Math.floor(hour / dayMs) * dayMs;
  const attempts = fc.record({
    at: fc.integer({ min: day, max: day + 2 * dayMs - 1 }),
    outcome: fc.constantFrom('failed', 'delivered'),
    durationMs: fc.integer({ min: 0, max: 1_000 }),
  });
  const documents = (view: View, records: readonly ReturnType<typeof record>[]) => {
    const all = new Map<string, ReturnType<View['evolve']>>();
    for (const one of records) {
      const id = view.idOf(one) ?? '';
      all.set(id, view.evolve(all.get(id), one));
    }
    return [...all.values()];
  };
  const law = (made: readonly { at: number; outcome: string; durationMs: number }[]) => {
    const records = made.map(({ at, outcome, durationMs }) => attempt(outcome, at, { durationMs, webhookId: 'wh_1' }));
    const byHours = new Map<number, object>();
    for (const document of documents(webhookStatsView as unknown as View, records)) {
      const { hour: at, minutes } = document as unknown as StatsView;
      byHours.set(at, Object.values(minutes).reduce(sumOf, {}));
    }
    const byDays = new Map<number, object>();
    for (const document of documents(webhookDaysView as unknown as View, records)) {
      const { day: from, hours } = document as unknown as WebhookDaysView;
      for (const [at, counts] of Object.entries(hours)) byDays.set(from + Number(at) * hourMs, counts);
    }
    expect(new Map([...byDays].sort())).toEqual(new Map([...byHours].sort()));
  };
  fc.assert(fc.property(fc.array(attempts, { maxLength: 30 }), law));
});
