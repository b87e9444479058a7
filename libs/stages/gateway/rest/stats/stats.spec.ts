import { TestBed } from '../../test-bed.fake.ts';
import { dayMs } from '../../../../domain/views/index.ts';
import { hourMs, minuteMs } from '../../../../domain/views/stats/stats.view.ts';

const hour = 1_700_000_000_000 - (1_700_000_000_000 % hourMs);

/** What the indexes of webhooks need. */
const named = { name: '', url: 'https://example.com/hook', createdAt: 1 };

let bed: TestBed;
let workspace: string;
beforeAll(async () => {
  bed = await TestBed.start();
  workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
  const documents = [
    { hour, minutes: { 0: { events: 2 }, 59: { events: 1 } } },
    { hour, minutes: { 0: { attempts: 4, failedAttempts: 1, attemptMs: 10, slowestMs: 6 }, 1: { parked: 1 } } },
    { hour: hour + hourMs, minutes: { 0: { runs: 3, failedRuns: 2 } } },
    { hour, minutes: { 0: { events: 50 } }, workspace: 'o_other' },
  ];
  const filtered = [
    { hour, count: 3, subscriptionId: 'sub_0000000000000001' },
    { hour, count: 4, subscriptionId: 'sub_0000000000000001' },
    { hour: hour + 2 * hourMs, count: 5, subscriptionId: 'sub_0000000000000001' },
    { hour, count: 9, subscriptionId: 'sub_0000000000000002' },
  ];
  const views = ['eventStats', 'deliveryStats', 'runStats', 'eventStats'];
  const of = (view: string, n: number, value: object) => ({
    view,
    id: `${view}/${n}`,
    version: n,
    value: { workspace, ...value } as never,
  });
  await bed.views
    .live()
    .put([
      ...documents.map((value, n) => of(views[n] ?? '', n, value)),
      ...filtered.map((value, n) => of('filtered', n, value)),
    ]);
});
afterAll(() => bed?.stop());

interface StatsData {
  readonly ts: number;
  readonly [name: string]: unknown;
}

async function stats(query: Record<string, string>, path = '/v1/stats'): Promise<readonly StatsData[]> {
  const { status, body } = await bed.call('GET', path, { query });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data as readonly StatsData[];
}

const noAttempts = {
  attempts: 0,
  failed_attempts: 0,
  parked: 0,
  mean_attempt_ms: null,
  slowest_attempt_ms: null,
  first_attempts: 0,
  mean_lag_ms: null,
  longest_lag_ms: null,
};
const zero = { events: 0, runs: 0, failed_runs: 0, ...noAttempts };

test('shows the counts of every minute, without those of other workspaces', async () => {
  const all = await stats({ from: String(hour), to: String(hour + hourMs + 1), step: 'minute' });
  expect(all).toHaveLength(61);
  expect(all.map(({ ts }) => ts)).toEqual(all.map((_, at) => hour + at * minuteMs));
  expect(all[0]).toEqual({
    ts: hour,
    ...zero,
    events: 2,
    attempts: 4,
    failed_attempts: 1,
    mean_attempt_ms: 3,
    slowest_attempt_ms: 6,
  });
  expect(all[1]).toEqual({ ts: hour + minuteMs, ...zero, parked: 1 });
  expect(all[2]).toEqual({ ts: hour + 2 * minuteMs, ...zero });
  expect(all[60]).toEqual({ ts: hour + hourMs, ...zero, runs: 3, failed_runs: 2 });
});

test('hours are sums of their minutes, and a time within a step selects the whole step', async () => {
  const all = await stats({
    from: String(hour + 5),
    to: String(hour + hourMs + 5),
    step: 'hour',
    include: 'ts,events',
  });
  expect(all).toEqual([
    { ts: hour, events: 3 },
    { ts: hour + hourMs, events: 0 },
  ]);
});

test('without a time range, shows the last hour by minutes or the last day by hours', async () => {
  const minutes = await stats({});
  expect(minutes).toHaveLength(60);
  expect(Number(minutes.at(-1)?.ts) + minuteMs).toBeGreaterThan(Date.now() - 60_000);
  expect(await stats({ step: 'hour' })).toHaveLength(24);
});

test.each([
  ['reversed', { from: String(hour + hourMs), to: String(hour) }, '`from` must be before `to`.'],
  ['too long', { from: String(hour - 1_488 * minuteMs), to: String(hour + 1) }, 'at most 1488'],
  ['in unknown steps', { step: 'day' }, 'step'],
])('refuses a time range that is %s', async (_name, query, message) => {
  const { status, body } = await bed.call('GET', '/v1/stats', { query });
  expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
});

test('counts filtered events of a subscription by the hour, and answers 404 to an unknown one', async () => {
  const subscription = {
    subscriptionId: 'sub_0000000000000001',
    emitterId: 'dc_1',
    listenerId: 'wh_1',
    eventName: null,
  };
  const value = { workspace, createdAt: 1, triple: 't', userId: 'u_1', ...subscription } as never;
  await bed.views.live().put([{ view: 'subscriptions', id: 'sub_0000000000000001', version: 1, value }]);
  const path = '/v1/subscriptions/sub_0000000000000001/filtered';
  expect(await stats({ from: String(hour), to: String(hour + 3 * hourMs) }, path)).toEqual([
    { ts: hour, count: 7 },
    { ts: hour + hourMs, count: 0 },
    { ts: hour + 2 * hourMs, count: 5 },
  ]);
  expect((await bed.call('GET', '/v1/subscriptions/sub_0000000000000002/filtered')).status).toBe(404);
});

test('sums the attempts of one webhook over all partitions, and answers 404 to an unknown or foreign one', async () => {
  const [id, foreign] = ['wh_0000000000000001', 'wh_0000000000000002'];
  const webhook = (webhookId: string, owner: string) =>
    ({ view: 'webhooks', id: webhookId, version: 1, value: { workspace: owner, webhookId, ...named } }) as never;
  const counted = (webhookId: string, n: number, counts: object) =>
    ({
      view: 'webhookStats',
      id: `${webhookId}/${n}`,
      version: 1,
      value: { workspace, webhookId, hour, minutes: { 3: counts } },
    }) as never;
  await bed.views.live().put([
    webhook(id, workspace),
    webhook(foreign, 'o_other'),
    counted(id, 1, { attempts: 1, attemptMs: 30, slowestMs: 30, firstAttempts: 1, lagMs: 4, longestLagMs: 4 }),
    counted(id, 2, {
      attempts: 3,
      failedAttempts: 2,
      attemptMs: 10,
      slowestMs: 8,
      parked: 1,
      firstAttempts: 1,
      lagMs: 2,
      longestLagMs: 2,
    }),
    counted(foreign, 1, { attempts: 50, attemptMs: 1, slowestMs: 1 }),
  ]);
  const span = { from: String(hour), to: String(hour + 2 * hourMs) };
  const sums = {
    attempts: 4,
    failed_attempts: 2,
    parked: 1,
    mean_attempt_ms: 10,
    slowest_attempt_ms: 30,
    first_attempts: 2,
    mean_lag_ms: 3,
    longest_lag_ms: 4,
  };
  expect(await stats({ ...span, step: 'hour' }, `/v1/webhooks/${id}/stats`)).toEqual([
    { ts: hour, ...sums },
    { ts: hour + hourMs, ...noAttempts },
  ]);
  const minutes = await stats({ ...span, step: 'minute' }, `/v1/webhooks/${id}/stats`);
  expect(minutes[3]).toEqual({ ts: hour + 3 * minuteMs, ...sums });
  expect(minutes.filter(({ attempts }) => attempts !== 0)).toHaveLength(1);
  for (const other of [foreign, 'wh_0000000000000003', 'dc_0000000000000001'])
    expect((await bed.call('GET', `/v1/webhooks/${other}/stats`)).status).toBe(404);
});

test('reads hours of a webhook from its days, and from its hours where the day is missing', async () => {
  const id = 'wh_0000000000000009';
  const day = Math.floor(hour / dayMs) * dayMs;
  const put = (view: string, n: number, value: object) =>
    ({ view, id: `${view}/${id}/${n}`, version: 1, value: { workspace, webhookId: id, ...value } }) as never;
  const hours = (day: number, of: object, n: number) => put('webhookDays', n, { day, hours: of });
  await bed.views.live().put([
    { view: 'webhooks', id, version: 1, value: { workspace, webhookId: id, ...named } } as never,
    // Retention has already removed part of the first day.
    put('webhookStats', 1, { hour: day - hourMs, minutes: { 0: { attempts: 1 }, 59: { attempts: 1 } } }),
    put('webhookStats', 2, { hour: day, minutes: { 5: { attempts: 3 } } }),
    hours(day, { 0: { attempts: 2 }, 23: { attempts: 4 } }, 1),
    hours(day, { 0: { attempts: 1 } }, 2),
    hours(day + dayMs, { 0: { attempts: 5 }, 1: { attempts: 6 } }, 3),
  ]);
  const attempts = async (from: number, to: number) => {
    const query = { from: String(from), to: String(to), step: 'hour' };
    const all = await stats(query, `/v1/webhooks/${id}/stats`);
    return all.filter(({ attempts: of }) => of !== 0).map(({ ts, attempts: of }) => [(ts - day) / hourMs, of]);
  };
  expect(await attempts(day - 2 * hourMs, day + 26 * hourMs)).toEqual([
    [-1, 2],
    [0, 3],
    [23, 4],
    [24, 5],
    [25, 6],
  ]);
  expect(await attempts(day + 23 * hourMs, day + 25 * hourMs)).toEqual([
    [23, 4],
    [24, 5],
  ]);
});

test('reads a month of hours over 16 partitions from 480 documents', async () => {
  const id = 'wh_0000000000000010';
  const first = Math.floor(hour / dayMs) * dayMs - 30 * dayMs;
  const documents = Array.from({ length: 30 * 16 }, (_, n) => {
    const value = { workspace, webhookId: id, day: first + Math.floor(n / 16) * dayMs, hours: { 3: { attempts: 1 } } };
    return { view: 'webhookDays', id: `${id}/${n}`, version: 1, value };
  });
  const webhook = { view: 'webhooks', id, version: 1, value: { workspace, webhookId: id, ...named } } as never;
  await bed.views.live().put([webhook, ...documents]);
  const live = bed.views.live();
  const find = live.find.bind(live);
  let read = 0;
  live.find = async (...query) => {
    const found = await find(...query);
    read += found.length;
    return found;
  };
  const span = { from: String(first), to: String(first + 30 * dayMs), step: 'hour' };
  const all = await stats(span, `/v1/webhooks/${id}/stats`);
  live.find = find;
  expect([all.filter(({ attempts }) => attempts === 16).length, read]).toEqual([30, 480]);
});
