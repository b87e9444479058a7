import { jest } from '@jest/globals';
import { until } from '../../../../../../test/support/until.ts';
import { eventOrder } from '../../../../../domain/channel/event-id.ts';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { PortError } from '../../../../../domain/port-error.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import { eventKey } from '../../../../../domain/views/index.ts';
import { everyGateway } from '../../../../../log/log.ts';
import { cursorOfId } from '../../../http/pages/cursor.ts';
import { LateLog } from '../../../late-log.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Echo',
  version: '0.0.1',
  type: 'source',
  props: [{ name: 'http', type: '$.interface.http', customResponse: true }],
  hooks: [],
  methods: [],
  additionalProps: false,
};
const slow = Promise.withResolvers<void>();

// Only the projection follows both of these topics.
const log = new LateLog({ topic: 'channels', followedTopic: 'schedules' });
let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ log });
  bed.components.set('echo', { manifest, run: ({ event, emit }) => emit({ event, channel: '' }) });
  bed.components.set('slow', { manifest: { ...manifest, props: [] }, run: () => slow.promise });
  bed.components.set('throwing', {
    manifest,
    run: () => {
      throw new TypeError('no such account');
    },
  });
});
afterAll(async () => {
  slow.resolve();
  await bed?.stop();
});

async function deploy(component: string): Promise<string> {
  const answer = await bed.call('POST', '/v1/sources', { body: { component_code: component } });
  return (answer.body.data as { id: string }).id;
}

const runNow = (id: string, body?: object, query: Record<string, string> = {}): Promise<Answer> =>
  bed.call('POST', `/v1/sources/${id}/run`, { ...(body === undefined ? {} : { body }), query });

const idOf = (answer: Answer): string => (answer.body.data as { id: string }).id;

const ended = (id: string, run: string): Promise<Answer> =>
  until('the run', async () => {
    const answer = await bed.call('GET', `/v1/sources/${id}/runs/${run}`);
    return answer.status !== 404 && answer;
  });

test('answers 202 with the id under which the run is found once it has ended', async () => {
  const id = await deploy('echo');
  const answer = await runNow(id, { event: { a: 1 } });
  expect([answer.status, answer.body]).toEqual([202, { data: { id: expect.stringMatching(/^run_/) } }]);
  const run = await ended(id, idOf(answer));
  expect(run.body.data).toMatchObject({ id: idOf(answer), kind: 'manual', outcome: 'succeeded', source_id: id });
  const events = await bed.call('GET', `/v1/sources/${id}/event_summaries`, { query: { expand: 'event' } });
  expect(events.body.data).toMatchObject([{ event: { a: 1 }, metadata: { run_id: idOf(answer) } }]);
});

test('a waiting caller gets the successful or failed run, with any JSON as its event', async () => {
  const id = await deploy('echo');
  for (const event of [[1], 'text', 0, false]) {
    const answer = await runNow(id, { event }, { wait: '1' });
    expect([answer.status, answer.body.data]).toMatchObject([200, { kind: 'manual', outcome: 'succeeded' }]);
  }
  const emitted = (await bed.call('GET', `/v1/sources/${id}/event_summaries`)).body.data as { event: unknown }[];
  expect(emitted.map(({ event }) => event)).toEqual([false, 0, 'text', [1]]);
  const failed = await runNow(await deploy('throwing'), { wait: 1 });
  expect([failed.status, failed.body.data]).toMatchObject([200, { outcome: 'failed', error: { name: 'TypeError' } }]);
});

test('a waiting caller is answered only once the events of the run are listed', async () => {
  const id = await deploy('echo');
  log.isLate = true;
  let isAnswered = false;
  const answer = runNow(id, { event: { n: 1 } }, { wait: '1' }).finally(() => (isAnswered = true));
  const runs = async () => (await bed.call('GET', `/v1/sources/${id}/runs`, { query: { kind: 'manual' } })).body.data;
  await until('the run', async () => ((await runs()) as unknown[]).length > 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isAnswered).toBe(false);
  log.isLate = false;
  expect((await answer).body.data).toMatchObject({ emitted: [expect.any(String)] });
  const listed = await bed.call('GET', `/v1/sources/${id}/event_summaries`, { query: { limit: '1' } });
  expect(listed.body.data).toMatchObject([{ metadata: { run_id: idOf(await answer) } }]);
});

test('a waiting caller of a run that fails is answered only once its event on $errors is listed', async () => {
  const id = await deploy('throwing');
  await runNow(id, { event: 0 }, { wait: '1' });
  log.isLate = true;
  let isAnswered = false;
  const answer = runNow(id, { event: 1 }, { wait: '1' }).finally(() => (isAnswered = true));
  const runs = async () =>
    (await bed.call('GET', `/v1/sources/${id}/runs`, { query: { outcome: 'failed' } })).body.data;
  await until('the run', async () => ((await runs()) as unknown[]).length > 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isAnswered).toBe(false);
  log.isLate = false;
  const query = { event_name: '$errors', expand: 'event', limit: '1' };
  const run = idOf(await answer);
  const listed = await bed.call('GET', `/v1/sources/${id}/event_summaries`, { query });
  expect(listed.body.data).toMatchObject([{ event: { run_id: run } }]);
});

test('a waiting caller of a run that fails is answered at once, however many have failed since it began', async () => {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  bed.components.set('late', {
    manifest,
    run: async ({ event }) => {
      if (event === 1) begun.resolve();
      if (event === 1) await released.promise;
      throw new TypeError('late');
    },
  });
  const id = await deploy('late');
  await runNow(id, { event: 0 }, { wait: '1' });
  const live = bed.views.live();
  const query = { index: 'byChannel', equals: [id, '$errors'], order: 'ascending', limit: 1 } as const;
  const [report] = await live.find('events', query);
  if (report === undefined) throw new Error('no report is listed');
  const answer = runNow(id, { event: 1 }, { wait: '1' });
  await begun.promise;
  await live.put(
    Array.from({ length: 100 }, (_, n) => {
      const eventId = `${Date.now()}-${n}`;
      const value = { ...report.value, eventId, order: eventOrder(eventId) };
      return { ...report, view: 'events', id: eventKey(id, eventId), value };
    }),
  );
  const releasedAt = performance.now();
  released.resolve();
  expect((await answer).body.data).toMatchObject({ outcome: 'failed', error: { message: 'late' } });
  expect(performance.now() - releasedAt).toBeLessThan(bed.parts.limits.viewsMs / 2);
});

test('a waiting caller gets its run even if the views do not answer for a moment', async () => {
  const id = await deploy('echo');
  const views = bed.parts.views();
  const get = views.get.bind(views);
  let fails = 3;
  const spy = jest.spyOn(views, 'get').mockImplementation(async (view, key) => {
    if (view !== 'sources' && fails-- > 0) throw new PortError('unavailable', 'away');
    return get(view, key);
  });
  const answer = await runNow(id, { event: 1 }, { wait: '1' });
  spy.mockRestore();
  expect([fails < 0, answer.status, answer.body.data]).toMatchObject([true, 200, { outcome: 'succeeded' }]);
});

test('lists runs by kind, outcome and time, in pages that stay stable while others end', async () => {
  const id = await deploy('throwing');
  for (let n = 0; n < 7; n++) await runNow(id, { event: n }, { wait: '1' });
  const list = async (query: Record<string, string> = {}) => {
    const { body } = await bed.call('GET', `/v1/sources/${id}/runs`, { query: { limit: '100', ...query } });
    return { runs: body.data as { id: string; started_at_ms: number }[], info: body.page_info };
  };
  const all = (await list()).runs;
  const manual = await list({ kind: 'manual' });
  expect([all.length, manual.runs.length, manual.info]).toMatchObject([8, 7, { total_count: 7 }]);
  expect(await list({ outcome: 'failed' })).toMatchObject({ runs: manual.runs });
  expect(await list({ kind: 'manual', outcome: 'failed' })).toEqual(manual);
  expect((await list({ kind: 'manual', outcome: 'succeeded' })).runs).toEqual([]);
  const [newest, second] = manual.runs;
  const from = String(manual.runs[5]?.started_at_ms);
  const to = String(newest?.started_at_ms);
  const within = manual.runs.filter(({ started_at_ms: at }) => at >= Number(from) && at < Number(to));
  expect(await list({ kind: 'manual', from, to })).toMatchObject({
    runs: within,
    info: { total_count: within.length },
  });
  const paged: unknown[] = [];
  for (let after = ''; ;) {
    const page = await list({ outcome: 'failed', limit: '2', after, to: String(Number(to) + 1) });
    if (page.runs.length === 0) break;
    paged.push(...page.runs);
    after = String(page.info?.['end_cursor']);
    await runNow(id, { event: 'meanwhile' }, { wait: '1' });
  }
  expect(paged.slice(-7)).toEqual(manual.runs);
  expect(new Set(paged.map((run) => (run as { id: string }).id)).size).toBe(paged.length);
  const before = await list({ before: String((await list({ kind: 'manual', limit: '2', to })).info?.['end_cursor']) });
  expect(before.runs.map((run) => run.id)).toContain(second?.id);
  for (const query of [{ kind: 'odd' }, { outcome: 'odd' }, { from: '-1' }, { to: 'x' }])
    expect((await bed.call('GET', `/v1/sources/${id}/runs`, { query: query as never })).status).toBe(400);
});

test('lists runs that start within the same millisecond in the order of their requests', async () => {
  const id = await deploy('echo');
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) ids.push(idOf(await runNow(id, { event: n })));
  await ended(id, ids.at(-1) ?? '');
  const list = async (query: Record<string, string>): Promise<readonly string[]> => {
    const { body } = await bed.call('GET', `/v1/sources/${id}/runs`, { query: { kind: 'manual', ...query } });
    return (body.data as { id: string }[]).map((run) => run.id);
  };
  expect(await list({ limit: '100' })).toEqual(ids.toReversed());
  expect(await list({ limit: '100', outcome: 'succeeded' })).toEqual(ids.toReversed());
  expect(await list({ limit: '5', before: cursorOfId(ids[9] ?? '') })).toEqual(ids.slice(10, 15).toReversed());
});

test('a check of code is neither the last run of a source nor its last error', async () => {
  const id = await deploy('echo');
  const source = async () => (await bed.call('GET', `/v1/sources/${id}`)).body.data as Record<string, unknown>;
  const refuse = async () =>
    (await bed.call('PUT', `/v1/sources/${id}`, { body: { component_code: 'nonsense' } })).status;
  expect(await refuse()).toBe(400);
  expect(await source()).toMatchObject({
    last_run_at_ms: null,
    last_error: null,
    refusal: { code: 'component_invalid' },
  });
  await runNow(id, {}, { wait: '1' });
  const { last_run_at_ms } = await source();
  expect(last_run_at_ms).toEqual(expect.any(Number));
  for (let n = 0; n < 6; n++) await refuse();
  expect(await source()).toMatchObject({ last_run_at_ms, last_error: null });
});

test('a source shows its last run and its last error', async () => {
  const ids = [await deploy('echo'), await deploy('throwing')] as const;
  const source = async (id: string) =>
    (await bed.call('GET', `/v1/sources/${id}`)).body.data as Record<string, unknown>;
  for (const id of ids) await runNow(id, {}, { wait: '1' });
  const [succeeded, failed] = [await source(ids[0]), await source(ids[1])];
  const { data } = (await bed.call('GET', `/v1/sources/${ids[1]}/runs`, { query: { limit: '1' } })).body;
  const [run] = data as { id: string; started_at_ms: number }[];
  expect(succeeded).toMatchObject({ last_run_at_ms: expect.any(Number), last_error: null });
  expect(failed).toMatchObject({
    last_run_at_ms: run?.started_at_ms,
    last_event_at_ms: null,
    last_error: { name: 'TypeError', message: 'no such account', run_id: run?.id, at_ms: run?.started_at_ms },
  });
  const { data: listed } = (await bed.call('GET', '/v1/sources', { query: { limit: '100' } })).body;
  expect(listed).toEqual(expect.arrayContaining([succeeded, failed]));
});

test('without an event, the run gets an empty request to the endpoint of the source', async () => {
  const id = await deploy('echo');
  expect((await runNow(id, undefined, { wait: '1' })).status).toBe(200);
  const { data } = (await bed.call('GET', `/v1/sources/${id}/event_summaries`)).body;
  expect(data).toMatchObject([{ event: { method: 'POST', path: '/', url: expect.stringContaining('/e/') } }]);
});

test('answers 202 with the id of a run that takes longer than the caller can wait', async () => {
  const id = await deploy('slow');
  const answer = await bed.withLimits({ respondMs: 300 }, () => runNow(id, {}, { wait: '1' }));
  expect([answer.status, answer.body]).toEqual([202, { data: { id: expect.stringMatching(/^run_/) } }]);
});

test('answers 429 when the queue is full', async () => {
  const id = await deploy('echo');
  bed.log.reply(everyGateway, { type: 'SourceFull', sourceId: id });
  await new Promise(setImmediate);
  expect((await runNow(id)).status).toBe(429);
  bed.log.reply(everyGateway, { type: 'SourceFree', sourceId: id });
  await new Promise(setImmediate);
  expect((await runNow(id)).status).toBe(202);
});

test('runs with an event as deep and with as many values as a source can emit', async () => {
  const id = await deploy('echo');
  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
  const wide = (values: number): unknown => Array(values - 1).fill(0);
  const events = [deep(256), deep(257), wide(60_000), wide(70_000)];
  const answers = await Promise.all(events.map((event) => runNow(id, { event })));
  expect(answers.map(({ status }) => status)).toEqual([202, 400, 202, 400]);
});

test('answers 413 to an event that is too large, and 400 to an invalid wait', async () => {
  const id = await deploy('echo');
  const fits = 'x'.repeat(sizes.endpointBodyBytes - 2);
  expect((await runNow(id, { event: fits, wait: 1 })).status).toBe(200);
  expect((await runNow(id, { event: `${fits}x` })).status).toBe(413);
  expect((await runNow(id, { event: 'x'.repeat(sizes.runBodyBytes) })).status).toBe(413);
  expect((await runNow(id, { wait: 2 })).status).toBe(400);
});

test('answers 404 to an unknown run, a run of another source, or a run on a deleted source', async () => {
  const [id, other] = [await deploy('echo'), await deploy('echo')];
  const run = idOf(await runNow(id, { wait: 1 }));
  expect((await bed.call('GET', `/v1/sources/${id}/runs/${run}`)).status).toBe(200);
  expect((await bed.call('GET', `/v1/sources/${other}/runs/${run}`)).status).toBe(404);
  expect((await bed.call('GET', `/v1/sources/${id}/runs/run_1`)).status).toBe(404);
  expect((await runNow('dc_0000000000000000')).status).toBe(404);
  await bed.call('DELETE', `/v1/sources/${id}`);
  expect((await runNow(id)).status).toBe(404);
});
