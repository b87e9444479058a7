// Has props that depend on a value, and options with a context; its app uses a client of 30 packages.
import { expect } from '@jest/globals';
import type { World } from '../world.ts';
import type { Story } from '../story.ts';

const path = '@pipedream/apify@0.4.0/sources/new-finished-actor-run-instant/new-finished-actor-run-instant.mjs';
const host = 'api.apify.com';
const token = 'a-token-for-actors';
const finished = {
  eventType: 'ACTOR.RUN.SUCCEEDED',
  createdAt: '2024-01-02T00:00:00Z',
  eventData: { actorRunId: 'r1' },
};

export const newFinishedActorRun: Story = {
  key: 'apify-new-finished-actor-run-instant',
  async play(world) {
    const actor = { id: 'act1', title: 'Crawler', username: 'u', name: 'crawler' };
    world.upstream.serve(host, ({ method, path: asked }) => {
      if (method === 'GET' && asked === '/v2/store') return { body: { data: { items: [actor] } } };
      if (method === 'POST' && asked === '/v2/webhooks') return { status: 201, body: { data: { id: 'aw1' } } };
      return method === 'DELETE' && asked === '/v2/webhooks/aw1' ? { status: 204 } : undefined;
    });
    const apify = await world.account('apify', { api_token: token });
    const source = await world.deploy(path, { apify, actorSource: 'store', actorId: 'act1' });
    expect(world.upstream.requestsTo(host).find(({ method }) => method === 'POST')).toMatchObject({
      path: '/v2/webhooks',
      headers: { authorization: `Bearer ${token}`, 'x-apify-integration-platform': 'pipedream' },
      body: {
        requestUrl: source.configured_props.http.endpoint_url,
        eventTypes: ['ACTOR.RUN.SUCCEEDED', 'ACTOR.RUN.FAILED', 'ACTOR.RUN.TIMED_OUT', 'ACTOR.RUN.ABORTED'],
        condition: { actorId: 'act1' },
      },
    });
    expect((await world.send(source, { body: JSON.stringify(finished) })).status).toBe(200);
    expect(await world.events(source, 1)).toMatchObject([
      {
        event: finished,
        metadata: { id: 'r1', name: '', summary: 'A new Actor run r1 has finished', ts: 1704153600000 },
      },
    ]);

    await expectDynamicProps(world, { apify, actorSource: 'store' });
    await world.client.deleteSource(source.id);
    expect(world.upstream.requestsTo(host).at(-1)).toMatchObject({ method: 'DELETE', path: '/v2/webhooks/aw1' });
  },
};

async function expectDynamicProps(world: World, configured_props: Readonly<Record<string, unknown>>): Promise<void> {
  const props = await world.dynamicProps(path, configured_props);
  expect(props).toMatchObject({
    dynamic_props: {
      configurable_props: expect.arrayContaining([expect.objectContaining({ name: 'actorId', type: 'string' })]),
    },
  });
  const found = await world.options(path, { prop_name: 'actorId', configured_props });
  expect(found).toMatchObject({ options: [{ label: 'Crawler (u/crawler)', value: 'act1' }] });
  expect(world.upstream.requestsTo(host).at(-1)).toMatchObject({
    path: '/v2/store',
    query: { limit: '100', offset: '0' },
  });
}
