// Channels whose names begin with `$`: how they are listed and streamed, and where they are accepted.
import type { AddressInfo } from 'node:net';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { EventStream } from '../../../streams/event-stream.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Talker',
  version: '0.0.1',
  type: 'source' as const,
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [],
};

interface Listed {
  readonly id: string;
  readonly event: { readonly console: readonly { readonly text: string }[] };
}

let bed: TestBed;
let id: string;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('talker', {
    manifest,
    run: ({ event, emit, console }) => {
      const { say } = event as { say?: string };
      if (say !== undefined) console(say, 'warn');
      emit({ event, channel: '' });
    },
  });
  id = await deploy();
});
afterAll(async () => {
  bed?.app.getHttpServer().closeAllConnections();
  await bed?.stop();
});

async function deploy(): Promise<string> {
  const answer = await bed.call('POST', '/v1/sources', { body: { component_code: 'talker' } });
  return (answer.body.data as { id: string }).id;
}

async function run(event: object): Promise<{ readonly id: string; readonly console: readonly { at_ms: number }[] }> {
  const { body } = await bed.call('POST', `/v1/sources/${id}/run`, { body: { event }, query: { wait: '1' } });
  return body.data as { id: string; console: { at_ms: number }[] };
}

const list = (query: Record<string, string>): Promise<Answer> =>
  bed.call('GET', `/v1/sources/${id}/event_summaries`, { query: { expand: 'event', ...query } });
const printedTexts = ({ body }: Answer): unknown[] =>
  (body.data as Listed[]).map(({ event }) => event.console[0]?.text);

test('$logs lists runs with console output as events, in pages that stay stable while new ones arrive', async () => {
  const first = await run({ say: 'one' });
  await run({});
  for (const say of ['two', 'three']) await run({ say });
  const newest = await list({ event_name: '$logs', limit: '2' });
  expect(newest.body.page_info).toMatchObject({ total_count: 3, count: 2 });
  expect(printedTexts(newest)).toEqual(['three', 'two']);
  await run({ say: 'four' });
  const after = (newest.body.page_info as { end_cursor: string }).end_cursor;
  const older = await list({ event_name: '$logs', after });
  expect(older.body.data).toEqual([
    {
      id: first.id,
      indexed_at_ms: expect.any(Number),
      event: {
        run_id: first.id,
        kind: 'manual',
        outcome: 'succeeded',
        console: [{ level: 'warn', text: 'one', ts: first.console[0]?.at_ms }],
      },
      metadata: { emitter_id: id, emit_id: first.id, run_id: first.id, trace_id: expect.any(String), name: '$logs' },
    },
  ]);
  const before = (newest.body.page_info as { start_cursor: string }).start_cursor;
  expect(printedTexts(await list({ event_name: '$logs', before }))).toEqual(['four']);
  expect((await list({})).body.page_info).toMatchObject({ total_count: 5 });
  for (const cursor of ['1-0', 'run_0000000000000000'])
    expect((await list({ event_name: '$logs', after: cursor })).status).toBe(400);
});

test('a stream of $logs sends the same events as the list, and resumes after a given run', async () => {
  await bed.app.listen(0, '127.0.0.1');
  const base = `http://127.0.0.1:${(bed.app.getHttpServer().address() as AddressInfo).port}`;
  const at = `${base}/v1/sources/${id}/sse?event_name=$logs`;
  const stream = await EventStream.open(at, { apiKey: bed.apiKey });
  for (const event of [{ say: 'a' }, {}, { say: 'b' }]) await run(event);
  const messages = await stream.take(2);
  const listed = (await list({ event_name: '$logs', limit: '2' })).body.data as Listed[];
  expect(messages.map(({ data }) => data)).toEqual(listed.toReversed());
  const resumed = await EventStream.open(at, { apiKey: bed.apiKey, lastEventId: messages[0]?.id ?? '' });
  expect(await resumed.take(1)).toEqual(messages.slice(1));
  stream.close();
  resumed.close();
});

const subscribe = (source: string, event_name: string): Promise<Answer> =>
  bed.call('POST', '/v1/subscriptions', {
    body: { emitter_id: source, listener_id: 'wh_0000000000000000', event_name },
  });
const uses: Record<string, (event_name: string) => Promise<Answer>> = {
  'a subscription to': (name) => subscribe(id, name),
  'a list of': (name) => list({ event_name: name }),
  'a stream of': (name) => bed.call('GET', `/v1/sources/${id}/sse`, { query: { event_name: name } }),
  'a delete on': (name) => bed.call('DELETE', `/v1/sources/${id}/events`, { query: { event_name: name } }),
};

test.each([
  ['a subscription to', '$other', 'there are $errors, $logs'],
  ['a subscription to', '$in', 'cannot be $in here: what waits there'],
  ['a list of', '$other', 'there are $errors, $logs, $in'],
  ['a stream of', '$other', 'there are $errors, $logs'],
  ['a stream of', '$in', 'cannot be $in here: what waits there'],
  ['a delete on', '$other', 'there are $errors, $in'],
  ['a delete on', '$logs', 'cannot be $logs here: it lists the console of runs'],
])('refuses %s %s and says why', async (use, name, why) => {
  const answer = await uses[use]?.(name);
  expect(answer?.status).toBe(400);
  expect(answer?.body).toMatchObject({
    code: 'invalid_request',
    details: { problems: [{ field: 'event_name', message: expect.stringContaining(why) }] },
  });
});

test('accepts the other channels, and a subscription to a channel of any name can be deleted', async () => {
  expect((await subscribe(id, '$logs')).body).toMatchObject({ details: { field: 'listener_id' } });
  expect((await subscribe(id, '$errors')).body).toMatchObject({ details: { field: 'listener_id' } });
  expect((await list({ event_name: '$errors' })).status).toBe(200);
  expect((await uses['a delete on']?.('$in'))?.status).toBe(202);
  const triple = { emitter_id: id, listener_id: 'wh_0000000000000000', event_name: '$older' };
  expect((await bed.call('DELETE', '/v1/subscriptions', { query: triple })).status).toBe(404);
});
