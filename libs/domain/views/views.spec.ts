// The views, each over the records that feed it.
import type { RecordOn } from '../messages-of.ts';
import { traceIdOf } from '../trace/traceparent.ts';
import { eventKey, eventOrder, tripleText, viewDefinitions, views } from './index.ts';
import type { View, ViewValue } from './view.ts';

const traceId = traceIdOf('c');

type SampleEvent = readonly [type: string, data: { readonly [name: string]: unknown }];

const sealed = { $sealed: 'bm9uY2V0YWdjaXBoZXJ0ZXh0' };

function record([type, data]: SampleEvent, at: number): RecordOn {
  return {
    id: `rec_${at}`,
    type,
    version: 1,
    key: 'k',
    data,
    at,
    workspace: 'o_1',
    correlationId: 'c',
    causationId: 'c',
    topic: 'runs',
    partition: 0,
    offset: at,
  } as RecordOn;
}

function viewNamed(name: string): View {
  const view = views.find(({ definition }) => definition.name === name);
  if (view === undefined) throw new Error(`No view ${name}`);
  return view;
}

/** The documents after these records, at 1, 2, 3 ... */
function after(name: string, events: readonly SampleEvent[]): Record<string, ViewValue | undefined> {
  const view = viewNamed(name);
  const documents: Record<string, ViewValue | undefined> = {};
  events.forEach((one, i) => {
    const from = record(one, i + 1);
    const id = view.idOf(from);
    if (id !== undefined) documents[id] = view.evolve(view.needsCurrent(from) ? documents[id] : undefined, from);
  });
  return documents;
}

const webhook = {
  webhookId: 'wh_1',
  userId: 'u_1',
  url: 'https://example.com/',
  name: 'n',
  description: null,
  ordered: false,
  retrySchedule: [5, 60],
  signingKey: sealed,
  fingerprint: 'f',
};

describe('webhooks', () => {
  test('a created webhook is active and shows its settings, never its signing key', () => {
    const { wh_1: document } = after('webhooks', [['WebhookCreated', webhook]]);
    expect(document).toEqual({
      workspace: 'o_1',
      webhookId: 'wh_1',
      userId: 'u_1',
      url: 'https://example.com/',
      name: 'n',
      description: null,
      ordered: false,
      retrySchedule: [5, 60],
      active: true,
      disabled: null,
      createdAt: 1,
      updatedAt: 1,
    });
  });

  test('a disabled webhook is not active and says why', () => {
    const events: SampleEvent[] = [
      ['WebhookCreated', webhook],
      ['WebhookDisabled', { webhookId: 'wh_1', reason: 'gone' }],
    ];
    expect(after('webhooks', events)['wh_1']).toMatchObject({
      active: false,
      disabled: 'gone',
      createdAt: 1,
      updatedAt: 2,
    });
  });

  test('a changed webhook shows what was changed, and what was not', () => {
    const { wh_1: before } = after('webhooks', [['WebhookCreated', webhook]]);
    const events: SampleEvent[] = [
      ['WebhookCreated', webhook],
      ['WebhookUpdated', { webhookId: 'wh_1', url: 'https://example.org/', name: null, timeoutMs: 2_000 }],
    ];
    const changes = { url: 'https://example.org/', name: '', timeoutMs: 2_000, updatedAt: 2 };
    expect(after('webhooks', events)['wh_1']).toEqual({ ...before, ...changes });
    events.push(['WebhookUpdated', { webhookId: 'wh_1', timeoutMs: null }]);
    expect(after('webhooks', events)['wh_1']).not.toHaveProperty('timeoutMs');
  });

  test('a webhook shows the names of its headers, not their values', () => {
    const events: SampleEvent[] = [
      ['WebhookCreated', { ...webhook, headers: [{ name: 'a', value: sealed }], rateLimit: 5 }],
      ['WebhookUpdated', { webhookId: 'wh_1', name: 'x', rateLimit: null, maxInFlight: 2 }],
    ];
    expect(after('webhooks', events)['wh_1']).toMatchObject({ headers: ['a'], maxInFlight: 2 });
    expect(after('webhooks', events)['wh_1']).not.toHaveProperty('rateLimit');
    const headers = ['a', 'b'].map((name) => ({ name, value: null }));
    events.push(['WebhookUpdated', { webhookId: 'wh_1', headers }]);
    expect(after('webhooks', events)['wh_1']).toHaveProperty('headers', ['a']);
  });

  test('a paused webhook says since when, until it is active again', () => {
    const events: SampleEvent[] = [
      ['WebhookCreated', webhook],
      ['WebhookUpdated', { webhookId: 'wh_1', active: false }],
      ['WebhookUpdated', { webhookId: 'wh_1', active: false, name: 'x' }],
    ];
    expect(after('webhooks', events)['wh_1']).toMatchObject({ active: false, disabled: null, pausedAt: 2, name: 'x' });
    events.push(['WebhookUpdated', { webhookId: 'wh_1', active: true }]);
    expect(after('webhooks', events)['wh_1']).not.toHaveProperty('pausedAt');
  });

  test('a disabled webhook can be made active again', () => {
    const events: SampleEvent[] = [
      ['WebhookCreated', webhook],
      ['WebhookDisabled', { webhookId: 'wh_1', reason: 'gone' }],
      ['WebhookUpdated', { webhookId: 'wh_1', active: false }],
    ];
    expect(after('webhooks', events)['wh_1']).toMatchObject({ active: false, disabled: 'gone' });
    expect(after('webhooks', events)['wh_1']).not.toHaveProperty('pausedAt');
    events.push(['WebhookUpdated', { webhookId: 'wh_1', active: true }]);
    expect(after('webhooks', events)['wh_1']).toMatchObject({ active: true, disabled: null });
  });

  test('a deleted webhook is gone, and what comes late does not bring it back', () => {
    const events: SampleEvent[] = [
      ['WebhookCreated', webhook],
      ['WebhookDeleted', { webhookId: 'wh_1' }],
      ['WebhookDisabled', { webhookId: 'wh_1', reason: 'gone' }],
    ];
    expect(after('webhooks', events)).toEqual({ wh_1: undefined });
  });

  test('a refusal changes nothing', () => {
    const refused = { webhookId: 'wh_1', reason: 'repeated', message: 'm' };
    const types = ['WebhookCreateRefused', 'WebhookDeleteRefused', 'WebhookDisableRefused'];
    const events = types.map((type): SampleEvent => [type, refused]);
    expect(after('webhooks', events)).toEqual({});
  });
});

describe('subscriptions', () => {
  const triple = { emitterId: 'dc_1', listenerId: 'wh_1', eventName: null };
  const created: SampleEvent = [
    'SubscriptionCreated',
    { ...triple, subscriptionId: 'sub_1', channelEnds: [4], fingerprint: null },
  ];

  test('a subscription shows its triple, and is gone once deleted', () => {
    expect(after('subscriptions', [created])['sub_1']).toEqual({
      workspace: 'o_1',
      subscriptionId: 'sub_1',
      ...triple,
      triple: tripleText(triple),
      filter: null,
      createdAt: 1,
    });
    const filter = { kind: ['new'] };
    const updated: SampleEvent = ['SubscriptionUpdated', { subscriptionId: 'sub_1', filter, channelEnds: [9] }];
    expect(after('subscriptions', [created, updated])['sub_1']).toMatchObject({ ...triple, filter, createdAt: 1 });
    const deleted: SampleEvent = ['SubscriptionDeleted', { ...triple, subscriptionId: 'sub_1' }];
    expect(after('subscriptions', [created, deleted])).toEqual({ sub_1: undefined });
  });

  test('"every channel" and "the default channel" have different keys', () => {
    expect(tripleText({ ...triple, eventName: '' })).not.toBe(tripleText(triple));
  });
});

test('a workspace is shown with its owner and without its keys', () => {
  const events: SampleEvent[] = [
    ['WorkspaceCreated', { name: 'w', userId: 'u_1', username: 'me', email: 'me@example.com' }],
    ['ApiKeyAdded', { hash: 'abc', userId: 'u_1' }],
  ];
  expect(after('workspaces', events)).toEqual({
    o_1: { workspace: 'o_1', name: 'w', userId: 'u_1', username: 'me', email: 'me@example.com', createdAt: 1 },
  });
});

describe('events', () => {
  const emitted = {
    emitterId: 'dc_1',
    eventId: '1606511826306-2',
    channel: 'push',
    event: { z: 1, a: [null] },
    emit: { id: 7, summary: 's' },
    runId: 'run_1',
  };

  test('an event is found under its source, with all its data', () => {
    expect(after('events', [['EventEmitted', emitted]])).toEqual({
      [eventKey('dc_1', '1606511826306-2')]: {
        workspace: 'o_1',
        emitterId: 'dc_1',
        eventId: '1606511826306-2',
        listedUnder: 'dc_1',
        order: eventOrder('1606511826306-2'),
        channel: 'push',
        runId: 'run_1',
        emittedAt: 1,
        emit: { id: 7, summary: 's' },
        event: { z: 1, a: [null] },
        traceId,
      },
    });
  });

  test('an event on a service channel is not listed under its source', () => {
    const [told] = Object.values(after('events', [['EventEmitted', { ...emitted, channel: '$errors' }]]));
    expect(told).toMatchObject({ emitterId: 'dc_1', channel: '$errors', listedUnder: 'dc_1/$' });
  });

  test('events on $logs are left out, since runs hold the same content', () => {
    expect(after('events', [['EventEmitted', { ...emitted, channel: '$logs' }]])).toEqual({});
  });

  test('a deletion is stored with its range and position; events make no deletion', () => {
    const deletion = { emitterId: 'dc_1', channel: '', startId: '1000-1', endId: '1000-4' };
    const deletions = after('deletions', [
      ['EventEmitted', emitted],
      ['EventsDeleted', deletion],
    ]);
    const [from, behind] = [eventOrder('1000-1'), eventOrder('1000-5')];
    expect(deletions).toEqual({
      'dc_1/2': {
        workspace: 'o_1',
        emitterId: 'dc_1',
        channel: '',
        from,
        to: expect.any(String),
        place: 2,
        deletedAt: 2,
      },
    });
    const to = String(deletions['dc_1/2']?.['to']);
    expect([to > eventOrder('1000-4'), to < behind]).toEqual([true, true]);
  });

  test('event ids sort by time and then by sequence', () => {
    const ids = ['9-3', '10-0', '1606511826306-2', '1606511826306-10', '1606511826307-0'];
    expect([...ids].reverse().sort((a, b) => (eventOrder(a) < eventOrder(b) ? -1 : 1))).toEqual(ids);
  });
});

test('a run shows its console and its error, null when there was none', () => {
  const run = {
    runId: 'run_1',
    sourceId: 'dc_1',
    kind: 'http',
    outcome: 'succeeded',
    startedAt: 100,
    durationMs: 7,
    console: [{ level: 'log', text: 'hi', at: 101 }],
    emitted: ['1-0'],
    deduped: 2,
  };
  const order = eventOrder('100-1');
  const silent = { error: null, requests: [], requestCount: 0, place: 1, order, loggedUnder: 'dc_1', traceId };
  expect(after('runs', [['RunFinished', run]])['run_1']).toEqual({ workspace: 'o_1', ...run, ...silent });
  const requests = { count: 2, list: [{ method: 'GET', host: 'a.example', status: 200, durationMs: 1 }] };
  const expected = { requests: requests.list, requestCount: 2 };
  expect(after('runs', [['RunFinished', { ...run, requests }]])['run_1']).toMatchObject(expected);
  expect(after('runs', [['RunFinished', { ...run, console: [] }]])['run_1']).toMatchObject({ loggedUnder: '' });
  const error = { name: 'Error', message: 'm', line: 3 };
  expect(after('runs', [['RunFinished', { ...run, error }]])['run_1']).toMatchObject({ error });
});

test('runs that begin in the same millisecond are ordered as on the log', () => {
  const run = { sourceId: 'dc_1', startedAt: 100, console: [], emitted: [], deduped: 0 };
  const events = ['run_z', 'run_a', 'run_m'].map((runId): SampleEvent => ['RunFinished', { ...run, runId }]);
  const shown = Object.entries(after('runs', events)).map(([id, document]) => [String(document?.['order']), id]);
  expect(shown.sort().map(([, id]) => id)).toEqual(['run_z', 'run_a', 'run_m']);
});

test('a schedule says what its due times go by, and a record without data ends it', () => {
  const schedule = { intervalSeconds: 60 };
  const told = { sourceId: 'dc_1', schedule, nextDue: 61_000, lastDue: 1_000, waitsFor: null };
  const { waitsFor: _run, ...shown } = told;
  expect(after('schedules', [['TimerScheduled', told]])).toEqual({ k: { workspace: 'o_1', ...shown } });
  const ended = { ...record(['TimerScheduled', {}], 2), data: undefined } as RecordOn;
  expect(viewNamed('schedules').evolve(undefined, ended)).toBeUndefined();
});

describe('deliveries', () => {
  const target = {
    subscriptionId: 'sub_1',
    webhookId: 'wh_1',
    emitterId: 'dc_1',
    eventId: '5-1',
    channel: '',
    webhookMessageId: 'msg_1',
  };
  const key = 'msg_1';
  const attempt = (number: number, outcome: string, nextAttemptAt: number | null): SampleEvent => [
    'DeliveryAttempted',
    {
      ...target,
      attempt: number,
      outcome,
      status: outcome === 'delivered' ? 200 : null,
      failure: outcome === 'delivered' ? null : 'timeout',
      message: null,
      answer: null,
      startedAt: number * 10,
      durationMs: 4,
      nextAttemptAt,
    },
  ];
  const parked: SampleEvent = ['DeliveryParked', { ...target, attempts: 2, reason: 'attempts_exhausted' }];

  test('a first attempt creates the document without reading it first', () => {
    const view = viewNamed('deliveries');
    expect(view.needsCurrent(record(attempt(1, 'delivered', null), 1))).toBe(false);
    expect(view.needsCurrent(record(attempt(2, 'delivered', null), 1))).toBe(true);
    expect(after('deliveries', [attempt(1, 'delivered', null)])[key]).toMatchObject({
      ...target,
      state: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
      parkedReason: null,
      attempts: [{ attempt: 1, outcome: 'delivered', status: 200, failure: null, startedAt: 10, durationMs: 4 }],
    });
  });

  test('a delivery is failing while an attempt is due, and delivered once one succeeds', () => {
    const failing = after('deliveries', [attempt(1, 'failed', 99)])[key];
    expect(failing).toMatchObject({ state: 'failing', nextAttemptAt: 99, attemptCount: 1 });
    const delivered = after('deliveries', [attempt(1, 'failed', 99), attempt(2, 'delivered', null)])[key];
    expect(delivered).toMatchObject({ state: 'delivered', nextAttemptAt: null, attemptCount: 2 });
    expect(delivered?.['attempts']).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  });

  test('a parked delivery keeps its attempts and says why', () => {
    const events = [attempt(1, 'failed', 99), attempt(2, 'failed', null), parked];
    expect(after('deliveries', events)[key]).toMatchObject({
      state: 'parked',
      attemptCount: 2,
      nextAttemptAt: null,
      parkedReason: 'attempts_exhausted',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
    });
  });

  test('a delivery parked before any attempt is shown', () => {
    expect(after('deliveries', [parked])[key]).toMatchObject({ state: 'parked', attempts: [] });
  });

  test('the details of an attempt are shown as they were recorded', () => {
    const [type, data] = attempt(1, 'failed', 99);
    const details = {
      trace: { address: '192.0.2.1:443', firstByteMs: 2 },
      requestHeaders: { 'webhook-id': 'msg_1' },
      answerHeaders: { 'set-cookie': ['a', 'b'] },
    };
    expect(after('deliveries', [[type, { ...data, ...details }]])[key]).toMatchObject({ attempts: [details] });
  });

  const byReplay = ([type, data]: SampleEvent): SampleEvent => [type, { ...data, replayId: 'rpl_1' }];

  test('what a replay attempted before the first attempt stays, in order, and the state is that of the delivery', () => {
    const [type, data] = attempt(1, 'failed', 99);
    const events = [byReplay(attempt(1, 'delivered', null)), [type, { ...data, afterReplay: true }] as const];
    const delivery = after('deliveries', events)[key];
    expect(delivery).toMatchObject({ state: 'failing', nextAttemptAt: 99, attemptCount: 1 });
    expect(delivery?.['attempts']).toMatchObject([
      { attempt: 1, outcome: 'delivered', replayId: 'rpl_1' },
      { attempt: 1, outcome: 'failed' },
    ]);
  });

  test('a replay that delivers a parked event makes it delivered, and changes no other state', () => {
    const tried = [attempt(1, 'failed', 99), attempt(2, 'failed', null), parked];
    const delivered = after('deliveries', [...tried, byReplay(attempt(1, 'delivered', null))])[key];
    expect(delivered).toMatchObject({ state: 'delivered', parkedReason: null, attemptCount: 2 });
    expect(delivered?.['attempts']).toMatchObject([{ attempt: 1 }, { attempt: 2 }, { attempt: 1, replayId: 'rpl_1' }]);
    const failed = [byReplay(attempt(1, 'failed', null)), byReplay(parked)];
    expect(after('deliveries', [...tried, ...failed])[key]).toMatchObject({ state: 'parked' });
    expect(after('deliveries', [attempt(1, 'delivered', null), ...failed])[key]).toMatchObject({ state: 'delivered' });
    expect(after('deliveries', [attempt(1, 'failed', 99), byReplay(attempt(1, 'delivered', null))])[key]).toMatchObject(
      {
        state: 'failing',
        nextAttemptAt: 99,
      },
    );
  });

  test('however often replays try, the newest attempt of the delivery stays, and its state with it', () => {
    const often = Array.from({ length: 40 }, () => byReplay(attempt(1, 'failed', null)));
    const delivery = after('deliveries', [attempt(1, 'delivered', null), ...often])[key];
    expect(delivery).toMatchObject({ state: 'delivered' });
    const attempts = delivery?.['attempts'] as readonly { readonly replayId?: string }[];
    expect(attempts.map(({ replayId }) => replayId)).toEqual([undefined, ...Array<string>(31).fill('rpl_1')]);
  });

  test('an event that was sent only by a replay has the state that the replay gave it', () => {
    const tried = [byReplay(attempt(1, 'failed', 99)), byReplay(attempt(2, 'failed', null)), byReplay(parked)];
    expect(after('deliveries', tried.slice(0, 1))[key]).toMatchObject({ state: 'failing', nextAttemptAt: 99 });
    expect(after('deliveries', tried)[key]).toMatchObject({ state: 'parked', attemptCount: 2 });
  });

  test('the newest 32 attempts are kept, and all are counted', () => {
    const events = Array.from({ length: 40 }, (_, i) => attempt(i + 1, 'failed', 1));
    const document = after('deliveries', events)[key];
    expect(document?.['attemptCount']).toBe(40);
    expect((document?.['attempts'] as { attempt: number }[] | undefined)?.map((one) => one.attempt)).toEqual(
      Array.from({ length: 32 }, (_, i) => i + 9),
    );
  });
});

describe('positions', () => {
  const counters = {
    published: 9,
    delivered: 3,
    parked: 1,
    filtered: 1,
    expired: { gone: 0, retention: 1, deleted: 1 },
  };
  const open = [{ offset: 4, sequence: 9, attempts: 1, dueAt: 7, waitMs: 5 }];
  const cursor = { subscriptionId: 'sub_1', emitterId: 'dc_1', epoch: 1, next: 5, open, counters, behindFrom: null };
  const failed = { eventId: '1-4', at: 2, status: 500, failure: null };
  const view = viewNamed('positions');
  const shown = (event: SampleEvent): ViewValue | undefined => view.evolve(undefined, record(event, 1));

  test('a position counts events by outcome, and the counts add up', () => {
    const report = { waiting: 1, eventId: '1-4', failed, retryAt: 7 };
    expect(shown(['CursorAdvanced', { ...cursor, report }])).toEqual({
      workspace: 'o_1',
      subscriptionId: 'sub_1',
      emitterId: 'dc_1',
      epoch: 1,
      counters: { published: 9, delivered: 3, parked: 1, filtered: 1, expired: 2, pending: 2 },
      retrying: 2,
      eventId: '1-4',
      failed,
      retryAt: 7,
      updatedAt: 1,
    });
  });

  test('counts of a cursor of an earlier program add up too, and fields it did not write are null', () => {
    expect(shown(['CursorAdvanced', cursor])).toMatchObject({ counters: { pending: 2 }, eventId: null, failed: null });
    const moved = { subscriptionId: 'sub_1', emitterId: 'dc_1', next: 5, open, sequence: 4, behindFrom: null };
    expect(shown(['CursorMoved', moved])).toMatchObject({ counters: { published: 5, delivered: 4, pending: 1 } });
  });

  test('a position is removed with its subscription, and other records of the topic give no position', () => {
    expect(shown(['CursorClosed', undefined as never])).toBeUndefined();
    const isShown = (key: string): boolean => view.idOf({ ...record(['CursorAdvanced', cursor], 1), key }) === key;
    expect(isShown('sub_1/dc_1')).toBe(true);
    for (const key of ['sub_1', 'sub_1/dc_1/9', 'deleted/dc_1/4', 'dc_1/4']) expect(isShown(key)).toBe(false);
  });

  test('each record holds the whole document, so writing it needs no read', () => {
    expect(view.needsCurrent(record(['CursorAdvanced', cursor], 1))).toBe(false);
  });
});

test('view names are unique, and each view is fed by one topic', () => {
  expect(new Set(viewDefinitions.map(({ name }) => name)).size).toBe(viewDefinitions.length);
  expect(viewDefinitions.map(({ name }) => name)).toEqual([
    ...views.map(({ definition }) => definition.name),
    'removals',
  ]);
  expect(views.map(({ topics }) => topics.length)).toEqual(views.map(() => 1));
});
