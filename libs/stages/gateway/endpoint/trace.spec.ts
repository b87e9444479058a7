// W3C Trace Context: the trace of a request continues in everything it causes. Without a valid header a new one starts.
import { until } from '../../../../test/support/until.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { TopicName } from '../../../domain/flow.ts';
import { readTraceparent } from '../../../domain/trace/traceparent.ts';
import { TestBed } from '../test-bed.fake.ts';

const manifest = {
  name: 'Traced',
  version: '1',
  type: 'source' as const,
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [{ name: 'http', type: '$.interface.http', customResponse: false }],
};

let bed: TestBed;
let path: string;
let sourceId: string;
let channelId: string;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('traced', { manifest, run: ({ emit }) => emit({ event: { a: 1 } }) });
  const deployed = await bed.call('POST', '/v1/sources', { body: { component_code: 'traced' } });
  const source = deployed.body.data as { id: string; configured_props: { http: { endpoint_url: string } } };
  sourceId = source.id;
  path = new URL(source.configured_props.http.endpoint_url).pathname;
  const made = await bed.call('POST', '/v1/sources', { body: { kind: 'channel', name: 'Published' } });
  channelId = (made.body.data as { id: string }).id;
});
afterAll(() => bed?.stop());

let drawn = 0;
/** Makes a header that no other request has. */
function traceparent(flags = '01'): { readonly trace: string; readonly header: string } {
  const trace = `4bf92f3577b34da6a3ce929d${String(++drawn).padStart(8, '0')}`;
  return { trace, header: `00-${trace}-00f067aa0ba902b7-${flags}` };
}

const recordsOf = (topic: TopicName, trace: string): readonly LogRecord[] =>
  bed.log.records(topic).filter((record) => record.traceparent?.slice(3, 35) === trace);

const newest = async (resource: string): Promise<Record<string, unknown> | undefined> =>
  ((await bed.call('GET', resource)).body.data as Record<string, unknown>[])[0];

test('the trace of an endpoint request continues in its trigger, run and event, each with its own span', async () => {
  const { trace, header } = traceparent('00');
  expect((await bed.send('POST', path, { headers: { traceparent: header } })).status).toBe(200);
  const event = await until('the event', () => recordsOf('channels', trace)[0]);
  const records = [...recordsOf('triggers', trace), ...recordsOf('runs', trace), event];
  expect(records).toHaveLength(3);
  expect(new Set(records.map((record) => record.traceparent)).size).toBe(3);
  for (const record of records) expect(record.traceparent).toMatch(/-00$/);
  const shownRun = await until('the run', async () => {
    const run = await newest(`/v1/sources/${sourceId}/runs`);
    return run?.['trace_id'] === trace ? run : undefined;
  });
  expect(shownRun).toMatchObject({ kind: 'http' });
  await until('the delivery', async () => {
    const shown = await newest(`/v1/sources/${sourceId}/event_summaries`);
    return (shown?.['metadata'] as { trace_id: string } | undefined)?.trace_id === trace ? shown : undefined;
  });
});

test('the trace of a command continues in its outcome', async () => {
  const { trace, header } = traceparent();
  const body = { url: 'https://receiver.example/' };
  expect((await bed.call('POST', '/v1/webhooks', { body, headers: { traceparent: header } })).status).toBe(200);
  for (const topic of ['commands', 'listeners', 'webhooks'] as const) expect(recordsOf(topic, trace)).toHaveLength(1);
});

test('traces continue in published events and in a run that the caller waits for', async () => {
  const published = traceparent();
  const asked = { body: { event: { n: 1 } }, headers: { traceparent: published.header } };
  expect((await bed.call('POST', `/v1/sources/${channelId}/events`, asked)).status).toBe(200);
  expect(recordsOf('channels', published.trace)).toHaveLength(1);
  const run = traceparent();
  const answer = await bed.call('POST', `/v1/sources/${sourceId}/run`, {
    body: { wait: 1 },
    headers: { traceparent: run.header },
  });
  expect(answer.body.data).toMatchObject({ trace_id: run.trace });
});

test.each([['none'], ['00-00000000000000000000000000000000-00f067aa0ba902b7-01'], ['hello']])(
  'with %s as its header a request starts a new trace',
  async (given) => {
    const before = bed.log.records('channels').length;
    const headers = given === 'none' ? {} : { traceparent: given };
    expect((await bed.send('POST', path, { headers })).status).toBe(200);
    const event = await until('the event', () => bed.log.records('channels')[before]);
    expect(readTraceparent(event.traceparent)).toBe(event.traceparent);
    expect(event.traceparent).toMatch(/-01$/);
    const trigger = bed.log.records('triggers').find(({ id }) => id === event.causationId);
    expect(trigger?.traceparent?.slice(3, 35)).toBe(event.traceparent?.slice(3, 35));
  },
);
