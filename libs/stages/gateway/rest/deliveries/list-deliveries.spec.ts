import { partitionOf } from '../../../../domain/flow.ts';
import type { DeliveryState, DeliveryView } from '../../../../domain/views/index.ts';
import { eventOrder } from '../../../../domain/views/index.ts';
import { TestBed } from '../../test-bed.fake.ts';
import { presentDeliveries } from './present-deliveries.ts';

interface DeliveryFields {
  readonly n: number;
  readonly state?: DeliveryState;
  readonly status?: number | null;
  readonly subscriptionId?: string;
  readonly webhookId?: string;
  readonly emitterId?: string;
  readonly workspace?: string;
  readonly answer?: string;
  readonly nextAttemptAt?: number;
  readonly replayId?: string;
}

const idOf = (n: number): string => `msg_${String(n).padStart(16, '0')}`;
const numberOf = (id: string): number => Number(id.slice('msg_'.length));

let bed: TestBed;
let workspace: string;
beforeAll(async () => {
  bed = await TestBed.start();
  workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
  await putDeliveries([
    { n: 1 },
    { n: 2, state: 'failing', status: 500, webhookId: 'wh_b', answer: 'Database is away' },
    { n: 3, state: 'parked', status: null },
    { n: 4, emitterId: 'dc_b' },
    { n: 5, state: 'parked', status: 500, webhookId: 'wh_b', subscriptionId: 'sub_b' },
    { n: 6, workspace: 'o_other', webhookId: 'wh_c', subscriptionId: 'sub_c', emitterId: 'dc_c' },
  ]);
});
afterAll(() => bed?.stop());

/** The time of each event is its number. */
async function putDeliveries(all: readonly DeliveryFields[]): Promise<void> {
  await bed.views.live().put(
    all.map(({ n, state = 'delivered', status = 200, answer = null, nextAttemptAt = null, replayId, ...of }) => {
      const outcome = state === 'delivered' ? 'delivered' : 'failed';
      const attempt = { attempt: 1, outcome, startedAt: 4, ...(replayId === undefined ? {} : { replayId }) };
      const failure = status === null ? 'timeout' : null;
      return {
        view: 'deliveries',
        id: idOf(n),
        version: n,
        value: {
          workspace,
          subscriptionId: 'sub_a',
          webhookId: 'wh_a',
          emitterId: 'dc_a',
          ...of,
          eventId: `${n}-${n}`,
          order: eventOrder(`${n}-${n}`),
          channel: '',
          webhookMessageId: idOf(n),
          state,
          attemptCount: 1,
          nextAttemptAt,
          parkedReason: null,
          updatedAt: 5,
          attempts: [{ ...attempt, status, failure, message: null, answer, durationMs: 1 }],
        },
      };
    }),
  );
}

async function findNumbers(query: Record<string, string>): Promise<readonly [numbers: number[], total: unknown]> {
  const { status, body } = await bed.call('GET', '/v1/deliveries', { query });
  expect([status, body.error]).toEqual([200, undefined]);
  return [(body.data as { id: string }[]).map(({ id }) => numberOf(id)), body.page_info?.['total_count']];
}

test.each([
  ['no criteria', {}, [5, 4, 3, 2, 1], 5],
  ['a webhook', { webhook_id: 'wh_b' }, [5, 2], 2],
  ['a source', { source_id: 'dc_b' }, [4], 1],
  ['a subscription', { subscription_id: 'sub_a' }, [4, 3, 2, 1], 4],
  ['a state', { state: 'parked' }, [5, 3], 2],
  ['a webhook and a state', { webhook_id: 'wh_b', state: 'parked' }, [5], 1],
  ['an event', { event_id: '3-3' }, [3], 1],
  ['a time range', { from: '2', to: '4' }, [3, 2], 2],
  ['a time range and an event outside it', { from: '4', event_id: '3-3' }, [], 0],
  ['a status', { status: '500' }, [5, 2], 5],
  ['a missing answer', { status: '0' }, [3], 5],
  ['a webhook and a source', { webhook_id: 'wh_a', source_id: 'dc_a' }, [3, 1], 3],
  ['an unknown webhook', { webhook_id: 'wh_none' }, [], 0],
  ["another workspace's webhook", { webhook_id: 'wh_c' }, [], 0],
  ["another workspace's source, by its status", { source_id: 'dc_c', status: '200' }, [], 0],
])('finds deliveries by %s', async (_name, query, numbers, total) => {
  expect(await findNumbers(query)).toEqual([numbers, total]);
});

test.each([
  ['DATABASE', [2]],
  ['wh_b', [5, 2]],
  ['timeout', [3]],
  ['4-4', [4]],
  ['of nobody', []],
])('finds deliveries by text in their fields: %s', async (q, numbers) => {
  expect((await findNumbers({ q }))[0]).toEqual(numbers);
});

test('pages continue in both directions, across states and with any filter', async () => {
  for (const query of [{}, { status: '500' }] as Record<string, string>[]) {
    const all = (await findNumbers(query))[0];
    const numbers: number[] = [];
    let last: Readonly<Record<string, unknown>> = {};
    for (let after = ''; after !== 'null';) {
      const { body } = await bed.call('GET', '/v1/deliveries', { query: { ...query, limit: '1', after } });
      numbers.push(...(body.data as { id: string }[]).map(({ id }) => numberOf(id)));
      if (body.page_info?.['end_cursor'] !== null) last = body.page_info ?? {};
      after = String(body.page_info?.['end_cursor']);
    }
    expect(numbers).toEqual(all);
    const { body } = await bed.call('GET', '/v1/deliveries', {
      query: { ...query, limit: '1', before: String(last['start_cursor']) },
    });
    expect((body.data as { id: string }[]).map(({ id }) => numberOf(id))).toEqual([all.at(-2)]);
  }
});

test('searches for a rare status page by page: a page may be empty and still have a cursor', async () => {
  await putDeliveries(
    Array.from({ length: 4_500 }, (_, i) => ({ n: 1_000 + i, webhookId: 'wh_d', status: i === 0 ? 503 : 200 })),
  );
  const pages: unknown[] = [];
  for (let after = ''; after !== 'null';) {
    const { body } = await bed.call('GET', '/v1/deliveries', { query: { webhook_id: 'wh_d', status: '503', after } });
    pages.push([(body.data as unknown[]).length, body.page_info?.['searched_to_ms']]);
    after = String(body.page_info?.['end_cursor']);
  }
  expect(pages).toEqual([
    [0, 4_500],
    [0, 3_500],
    [0, 2_500],
    [0, 1_500],
    [1, undefined],
    [0, undefined],
  ]);
}, 120_000);

test('finds one delivery by the webhook-id that its receiver got', async () => {
  const { body } = await bed.call('GET', `/v1/deliveries/${idOf(5)}`);
  expect(body.data).toMatchObject({ id: idOf(5), state: 'parked', event_id: '5-5', attempts: [{ status: 500 }] });
  for (const unknown of [idOf(6), idOf(9), 'nonsense'])
    expect((await bed.call('GET', `/v1/deliveries/${unknown}`)).status).toBe(404);
});

test.each([
  ['an invalid webhook id', { webhook_id: 'sub_1' }],
  ['an invalid status', { status: '600' }],
  ['an invalid event id', { event_id: '5' }],
  ['an unknown state', { state: 'lost' }],
  ['a cursor of another list', { after: 'd2hfMQ' }],
  ['an unknown parameter', { hook: 'wh_1' }],
])('answers 400 to %s', async (_name, query) => {
  expect((await bed.call('GET', '/v1/deliveries', { query })).status).toBe(400);
});

describe('one delivery', () => {
  const act = (n: number, what: string) => bed.call('POST', `/v1/deliveries/${idOf(n)}/${what}`);
  const requests = () => bed.log.records('requests').map(({ type, data }) => ({ type, data }));
  let ids: { readonly subscriptionId: string; readonly webhookId: string; readonly emitterId: string };

  beforeAll(async () => {
    Object.assign(bed.parts.limits, { viewsMs: 50 });
    const create = async (path: string, body: object): Promise<string> => {
      const { data } = (await bed.call('POST', path, { body })).body;
      return ([data].flat()[0] as { id: string }).id;
    };
    const webhookId = await create('/v1/webhooks', { url: 'https://example.com/hook' });
    const emitterId = await create('/v1/sources', { kind: 'channel', name: 'Orders' });
    const triple = { emitter_id: emitterId, listener_id: webhookId };
    ids = { subscriptionId: await create('/v1/subscriptions', triple), webhookId, emitterId };
    await putDeliveries([
      { n: 61, ...ids, state: 'parked', status: 500 },
      { n: 62, ...ids, state: 'failing', status: 500 },
      { n: 63, ...ids },
      { n: 64, ...ids, state: 'discarded', status: 500 },
      { n: 65, ...ids, state: 'parked', status: 500 },
      { n: 66, ...ids, webhookId: 'dc_listens', state: 'failing' },
    ]);
    const emitted = { listedUnder: emitterId, channel: '', runId: 'run_', emittedAt: 1, emit: {}, event: {} };
    await bed.views.live().put(
      [61, 62, 63, 64, 66].map((n) => ({
        view: 'events',
        id: `${emitterId}/${n}-${n}`,
        version: 1_000 + n,
        value: { workspace, emitterId, eventId: `${n}-${n}`, order: eventOrder(`${n}-${n}`), ...emitted },
      })),
    );
  });

  test('is retried or discarded by a request that records the state shown by the views', async () => {
    const before = requests().length;
    const retried = await act(61, 'retry');
    expect([retried.status, retried.body.data]).toMatchObject([202, { id: idOf(61), state: 'parked' }]);
    expect((await act(62, 'discard')).status).toBe(202);
    const { subscriptionId, emitterId } = ids;
    expect(requests().slice(before)).toMatchObject([
      {
        type: 'DeliveryRetryRequested',
        data: { subscriptionId, emitterId, eventId: '61-61', offset: 1_061, seen: { isParked: true, attempts: 1 } },
      },
      { type: 'DeliveryDiscardRequested', data: { eventId: '62-62', offset: 1_062, seen: { isParked: false } } },
    ]);
  });

  test('cannot be retried if it has ended, lost its event or goes to a source, nor discarded if it is delivered or not parked', async () => {
    const before = requests().length;
    for (const [n, what] of [
      ...([63, 64, 65, 66] as const).map((each) => [each, 'retry'] as const),
      ...([63, 66] as const).map((each) => [each, 'discard'] as const),
    ]) {
      const { status, body } = await act(n, what);
      expect([n, what, status, body.code]).toEqual([n, what, 409, 'not_open']);
    }
    expect((await act(64, 'discard')).body.data).toMatchObject({ state: 'discarded' });
    for (const unknown of [6, 99]) expect((await act(unknown, 'retry')).status).toBe(404);
    expect(requests()).toHaveLength(before);
  });

  test('is discarded with all parked ones of its subscription, a page at a time, except those that cannot be', async () => {
    const before = requests().length;
    const path = `/v1/subscriptions/${ids.subscriptionId}/discard_parked`;
    const pages: unknown[] = [];
    for (let after = ''; after !== 'null';) {
      const { status, body } = await bed.call('POST', path, { query: { limit: '1', after } });
      pages.push([status, ...(body.data as { id: string; state: string }[]).map(({ id }) => numberOf(id))]);
      after = String(body.page_info?.['end_cursor']);
    }
    // No stage carries out the requests here. The event of 65 is gone: its request has no offset.
    expect(pages).toEqual([[200, 65], [200, 61], [200]]);
    const type = 'DeliveryDiscardRequested';
    expect(requests().slice(before)).toMatchObject([
      { type, data: { eventId: '65-65' } },
      { type, data: { eventId: '61-61', offset: 1_061 } },
    ]);
    expect(requests()[before]?.data).not.toHaveProperty('offset');
    expect((await bed.call('POST', '/v1/subscriptions/sub_0000000000000000/discard_parked')).status).toBe(404);
  });

  test('to a paused webhook can be discarded but not retried, and after its subscription is deleted neither', async () => {
    await bed.call('POST', `/v1/webhooks/${ids.webhookId}/pause`);
    expect((await act(61, 'retry')).body.code).toBe('webhook_inactive');
    expect((await act(61, 'discard')).status).toBe(202);
    await bed.call('DELETE', `/v1/subscriptions/${ids.subscriptionId}`);
    expect((await act(61, 'discard')).body.code).toBe('not_open');
  });
});

test('no attempt is due once the subscription of a failing delivery is deleted', async () => {
  const due = { state: 'failing', workspace: 'o_due', nextAttemptAt: 99 } as const;
  const subscription = { workspace: 'o_due', subscriptionId: 'sub_due', emitterId: 'dc_a', listenerId: 'wh_a' };
  const value = { ...subscription, eventName: null, triple: 't', filter: null, createdAt: 1 };
  await bed.views.live().put([{ view: 'subscriptions', id: 'sub_due', version: 1, value }]);
  await putDeliveries([{ n: 7, subscriptionId: 'sub_due', ...due }]);
  await putDeliveries([{ n: 8, subscriptionId: 'sub_gone', ...due }]);
  const all = await bed.views.live().getMany('deliveries', [idOf(7), idOf(8)]);
  const records = await presentDeliveries(
    bed.parts,
    all.map((document) => document?.value as DeliveryView),
  );
  expect(records.map(({ state, next_attempt_at_ms }) => [state, next_attempt_at_ms])).toEqual([
    ['failing', 99],
    ['failing', null],
  ]);
});

test('no attempt of a failing delivery is due while its webhook is paused', async () => {
  const subscription = { workspace: 'o_due', subscriptionId: 'sub_pause', emitterId: 'dc_a', listenerId: 'wh_pause' };
  const value = { ...subscription, eventName: null, triple: 'p', filter: null, createdAt: 1 };
  const put1 = (view: string, id: string, version: number, one: object): Promise<void> =>
    bed.views.live().put([{ view, id, version, value: { workspace: 'o_due', ...one } }]);
  await put1('subscriptions', 'sub_pause', 1, value);
  const due = { state: 'failing', workspace: 'o_due', subscriptionId: 'sub_pause', nextAttemptAt: 99 } as const;
  await putDeliveries([{ n: 30, webhookId: 'wh_pause', ...due }]);
  const next = async (): Promise<unknown> => {
    const [document] = await bed.views.live().getMany('deliveries', [idOf(30)]);
    const [shown] = await presentDeliveries(bed.parts, [document?.value as DeliveryView]);
    return shown?.next_attempt_at_ms;
  };
  const webhook = { name: '', url: 'https://example.com/', disabled: null, createdAt: 1 };
  await put1('webhooks', 'wh_pause', 1, { ...webhook, active: false });
  expect(await next()).toBeNull();
  await put1('webhooks', 'wh_pause', 2, { ...webhook, active: true });
  expect(await next()).toBe(99);
});

test('no attempt is due once the replay that alone has tried a failing delivery has ended', async () => {
  const due = { state: 'failing', workspace: 'o_due', nextAttemptAt: 99, subscriptionId: 'sub_replays' } as const;
  const replayOf = (id: string, emitterId: string, endedAt: number | null) => {
    const value = { workspace: 'o_due', replayId: id, listedUnder: 'sub_replays', requestedAt: 1, emitterId, endedAt };
    return { view: 'replays', id, version: 1, value };
  };
  const subscription = { workspace: 'o_due', subscriptionId: 'sub_replays', emitterId: 'dc_a', listenerId: 'wh_a' };
  const value = { ...subscription, eventName: null, triple: 'r', filter: null, createdAt: 1 };
  await bed.views
    .live()
    .put([
      { view: 'subscriptions', id: 'sub_replays', version: 1, value },
      replayOf('rpl_runs', 'dc_a', null),
      replayOf('rpl_ended', 'dc_a', 5),
      replayOf('rpl_wide', 'dc_*', 5),
      replayOf(`rpl_wide/${partitionOf('dc_a', bed.log.partitions)}`, 'dc_*', null),
    ]);
  const replays = ['rpl_runs', 'rpl_ended', 'rpl_wide', 'rpl_forgotten'];
  await putDeliveries(replays.map((replayId, at) => ({ n: 20 + at, ...due, replayId })));
  const all = await bed.views.live().getMany('deliveries', [20, 21, 22, 23].map(idOf));
  const records = await presentDeliveries(
    bed.parts,
    all.map((document) => document?.value as DeliveryView),
  );
  expect(records.map(({ next_attempt_at_ms }) => next_attempt_at_ms)).toEqual([99, null, 99, null]);
});
