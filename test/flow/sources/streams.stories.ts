// Clients follow events and runs of a source live, and miss or repeat nothing across kill -9.
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { EventStream } from '../../../libs/stages/gateway/streams/event-stream.fake.ts';
import type { Message } from '../../../libs/stages/gateway/streams/event-stream.fake.ts';
import { withFixture } from '../../support/fixture.ts';
import { until } from '../../support/until.ts';
import { onlyWaitForKill } from '../../support/processes/shared-kills.ts';

const fixture = withFixture();
let client: Client;
let apiKey: string;
beforeAll(async () => {
  apiKey = await fixture.product.apiKey();
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey });
});

const echo = `export default { name: 'Echo', version: '1',
  run({ count, fail }) {
    for (let n = 0; n < count; n++) this.$emit({ n }, { id: n });
    if (fail) throw new TypeError('no luck');
  } }`;

const deploy = async (): Promise<string> => (await client.deploySource({ component_code: echo })).id;

const openStream = (path: string, lastEventId?: string): Promise<EventStream> =>
  EventStream.open(fixture.product.baseUrl + path, { apiKey, ...(lastEventId === undefined ? {} : { lastEventId }) });

const sequences = (messages: readonly Message[]): number[] => messages.map(({ id }) => Number(id.split('-')[1]));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

fixture.kills.test(
  'streams of events and runs can be resumed after kill -9, with each one once and in order',
  async function* () {
    const id = await deploy();
    const [events, runs] = [await openStream(`/v1/sources/${id}/sse`), await openStream(`/sse/dc/${id}/observations`)];
    await client.runNowAndWait(id, { event: { count: 50 } });
    const firstMessages = await events.take(30);
    const [run] = await runs.take(1);
    expect(run?.data).toEqual(await client.run(id, run?.id ?? ''));
    yield () => client.runNow(id, { event: { count: 50 } });
    const [resumed, resumedRuns] = [
      await openStream(`/sse/dc/${id}/emits`, firstMessages.at(-1)?.id),
      await openStream(`/v1/sources/${id}/logs/sse?after=${run?.id}`),
    ];
    await client.runNowAndWait(id, { event: { count: 5 } });
    const allMessages = [...firstMessages, ...(await resumed.take(75))];
    expect(sequences(allMessages)).toEqual(upTo(105));
    const { data } = await client.eventSummaries(id, { expand: 'event', limit: 1 });
    expect(data[0]).toEqual(allMessages.at(-1)?.data);
    expect((await resumedRuns.take(2)).map((one) => (one.data as { emitted: [] }).emitted.length)).toEqual([50, 5]);
    for (const stream of [events, runs, resumed, resumedRuns]) stream.close();
  },
);

fixture.kills.test('a deleted API key is refused, also after kill -9, and its streams end', async function* () {
  const id = await deploy();
  const apiKey = await client.apiKeys.create({ name: 'follower', scopes: ['read'] });
  const headers = { authorization: `Bearer ${apiKey.key}` };
  const ask = async (method = 'GET') =>
    (await fetch(`${fixture.product.baseUrl}/v1/sources/${id}`, { method, headers })).status;
  const stream = await fetch(`${fixture.product.baseUrl}/v1/sources/${id}/sse`, { headers });
  const streamText = stream.text();
  expect([stream.status, await ask(), await ask('DELETE')]).toEqual([200, 200, 403]);
  await client.apiKeys.delete(apiKey.id);
  await until('the key to be refused', async () => (await ask()) === 401);
  await streamText;
  yield onlyWaitForKill;
  expect(await ask()).toBe(401);
  const { data } = await client.apiKeys.list();
  expect(data.map(({ name, last_used_at: usedAt }) => [name, usedAt === null])).toEqual([['First API key', false]]);
});

fixture.kills.test(
  'a console session survives kill -9, and no restart brings it back after a sign-out',
  async function* () {
    const url = `${fixture.product.baseUrl}/session`;
    const signedIn = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey }),
    });
    const { data } = (await signedIn.json()) as { readonly data: { readonly csrf_token: string } };
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const me = async () => (await fetch(`${fixture.product.baseUrl}/v1/users/me`, { headers: { cookie } })).status;
    yield onlyWaitForKill;
    expect(await me()).toBe(200);
    const headers = { cookie, 'x-csrf-token': data.csrf_token };
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
    expect(await me()).toBe(401);
    yield onlyWaitForKill;
    expect(await me()).toBe(401);
  },
);

test('runs are found by outcome and time, and a source shows its last error', async () => {
  const id = await deploy();
  for (const fail of [false, true, false]) await client.runNowAndWait(id, { event: { count: 1, fail } });
  const { data: failed, page_info } = await client.runs(id, { outcome: 'failed', from: 0, to: Date.now() + 60_000 });
  expect([failed.length, page_info.total_count]).toEqual([1, 1]);
  expect(await client.runs(id, { kind: 'manual', outcome: 'failed' })).toMatchObject({ data: failed });
  expect((await client.runs(id, { kind: 'manual' })).data).toHaveLength(3);
  expect((await client.runs(id, { from: Date.now() + 60_000 })).data).toEqual([]);
  const [newest] = (await client.runs(id, { limit: 1 })).data;
  // A run can be shown before its event.
  const [event] = await until('an event of each run', async () => {
    const events = (await client.eventSummaries(id)).data;
    return events.length >= 3 && events;
  });
  expect(await client.source(id)).toMatchObject({
    last_run_at_ms: newest?.started_at_ms,
    last_event_at_ms: Number(event?.id.split('-')[0]),
    last_error: { name: 'TypeError', message: 'no luck', run_id: failed[0]?.id },
  });
});
