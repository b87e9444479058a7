// Calls this service's API instead of the hosted one: subscribes to itself, emits for a later time, and cancels.
import { expect } from '@jest/globals';
import type { Source } from '../../../libs/client/index.ts';
import { until } from '../../support/until.ts';
import type { PostResponse, World } from '../world.ts';
import type { Story } from '../story.ts';
import type { UpstreamResponse, UpstreamRequest } from '../upstream.ts';

const path = '@pipedream/pipedream@0.4.2/sources/new-scheduled-tasks/new-scheduled-tasks.mjs';
const host = 'api.pipedream.com';
const secret = 'only-who-knows-this-may-schedule';
/** Delay of the event that must not arrive earlier. */
const aheadMs = 2_000;

type Send = (path: string, body: unknown, sent?: string) => Promise<PostResponse>;

export const newScheduledTasks: Story = {
  key: 'pipedream-new-scheduled-tasks',
  async play(world) {
    world.upstream.serve(host, (asked) => passOn(world, asked));
    const pipedream = await world.account('pipedream', { api_key: world.apiKey });
    const source = await world.deploy(path, { pipedream, secret });
    const send: Send = (to, body, sent = secret) =>
      world.send(source, { path: to, headers: { 'x-pd-secret': sent }, body: JSON.stringify(body) });

    await expectRefusals(send);
    await expectEmitInTime(world, source, send);
    await expectCancelled(world, source, send);

    expect(world.upstream.requestsTo(host)[0]).toMatchObject({
      method: 'POST',
      path: '/v1/subscriptions',
      query: { emitter_id: source.id, listener_id: source.id, event_name: 'self' },
      headers: { authorization: `Bearer ${world.apiKey}`, 'user-agent': '@PipedreamHQ/pipedream v0.1' },
    });
    expect(world.upstream.requestsTo(host).filter(({ method }) => method === 'POST')).toHaveLength(1);
    await world.client.deleteSource(source.id);
  },
};

async function passOn(
  { apiKey, baseUrl }: World,
  { method, path: asked, query, headers }: UpstreamRequest,
): Promise<UpstreamResponse> {
  if (headers['authorization'] !== `Bearer ${apiKey}`) return { status: 401 };
  const url = `${baseUrl}${asked}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(url, { method, headers: { authorization: `Bearer ${apiKey}` } });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function expectRefusals(send: Send): Promise<void> {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const stranger = await send('/schedule', { timestamp: inAnHour, message: 'a' }, 'another');
  expect([stranger.status, JSON.parse(stranger.body)]).toEqual([
    400,
    { errors: ["Secret on incoming request doesn't match the configured secret"] },
  ]);
  expect(stranger.headers.get('content-type')).toContain('application/json');
  const undated = await send('/schedule', { timestamp: 'soon' });
  expect([undated.status, JSON.parse(undated.body)]).toEqual([
    400,
    { errors: ["Timestamp isn't a valid ISO 8601 string", 'No message passed in payload'] },
  ]);
}

async function schedule(send: Send, message: string, inMs: number): Promise<{ id: string; task: object; at: number }> {
  const at = Date.now() + inMs;
  const task = { timestamp: new Date(at).toISOString(), message };
  const answer = await send('/schedule', task);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    200,
    { msg: 'Successfully scheduled task', id: expect.stringMatching(/^[\da-f-]{36}$/) },
  ]);
  return { id: (JSON.parse(answer.body) as { id: string }).id, task, at };
}

/** The event returns to the component on its own channel, and the component emits it to all subscribers. */
async function expectEmitInTime(world: World, source: Source, send: Send): Promise<void> {
  const { id, task, at } = await schedule(send, 'in time', aheadMs);
  const [event] = await world.events(source, 1);
  expect(Date.now()).toBeGreaterThanOrEqual(at);
  expect(event).toMatchObject({ event: task, metadata: { id, name: '', summary: JSON.stringify(task) } });
  expect(event?.event).toEqual(task);
  expect(await world.events(source, 1, 'self')).toMatchObject([
    { event: { ...task, $channel: 'self', $id: id }, metadata: { id, name: 'self' } },
  ]);
}

async function expectCancelled(world: World, source: Source, send: Send): Promise<void> {
  // Long enough that it is still waiting on any machine.
  const { id, at } = await schedule(send, 'never', 3_600_000);
  const [waiting] = await world.events(source, 1, '$in');
  expect(waiting?.metadata).toMatchObject({ id, delivery_ts: at });
  expect((await send('/cancel', { id }, 'another')).status).toBe(400);
  const cancelled = await send('/cancel', { id });
  expect([cancelled.status, JSON.parse(cancelled.body)]).toEqual([
    200,
    { msg: `Cancelled scheduled task for event ${id}` },
  ]);
  await until('the emit to be cancelled', async () => {
    const { data } = await world.client.eventSummaries(source.id, { event_name: '$in' });
    return data.length === 0;
  });
  const again = await send('/cancel', { id });
  expect([again.status, JSON.parse(again.body)]).toEqual([404, { msg: `No event with ${id} found` }]);
}
