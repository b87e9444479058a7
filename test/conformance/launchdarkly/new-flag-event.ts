// Calls its methods without `this`, and accepts only requests signed with the secret that it generated.
import { createHmac } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Story } from '../story.ts';

const path = '@pipedream/launchdarkly@0.1.1/sources/new-flag-event/new-flag-event.mjs';
const host = 'app.launchdarkly.com';
const token = 'a-token-for-flags';
const flag = { _id: 'e1', name: 'flag-a', date: 1700000000000 };

export const newFlagEvent: Story = {
  key: 'launchdarkly-new-flag-event',
  async play(world) {
    world.upstream.serve(host, ({ method, path: asked }) => {
      if (method === 'POST' && asked === '/api/v2/webhooks') return { status: 201, body: { _id: 'w1' } };
      return method === 'DELETE' && asked === '/api/v2/webhooks/w1' ? { status: 204 } : undefined;
    });
    const app = await world.account('launchdarkly', { access_token: token });
    const source = await world.deploy(path, { app });

    const [registered] = world.upstream.requestsTo(host);
    expect(registered).toMatchObject({
      headers: { authorization: token },
      body: {
        url: source.configured_props.http.endpoint_url,
        sign: true,
        on: true,
        statements: [{ resources: ['proj/*:env/*:flag/*'], actions: ['*'], effect: 'allow' }],
      },
    });
    const { secret } = (registered?.body ?? {}) as { readonly secret: string };

    const body = JSON.stringify(flag);
    const sign = (key: string): string => createHmac('sha256', key).update(body).digest('hex');
    const send = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await world.send(source, { headers, body })).status;
    expect(await send({})).toBe(401);
    expect(await send({ 'x-ld-signature': sign('another') })).toBe(401);
    expect(await send({ 'x-ld-signature': sign(secret) })).toBe(200);
    const runs = await world.httpRuns(source, 3);
    expect(runs.map(({ outcome, emitted }) => [outcome, emitted.length])).toEqual([
      ['succeeded', 0],
      ['succeeded', 0],
      ['succeeded', 1],
    ]);
    expect(await world.events(source, 1)).toMatchObject([
      { event: flag, metadata: { id: 'e1', name: '', summary: 'New Flag flag-a', ts: 1700000000000 } },
    ]);

    await world.client.deleteSource(source.id);
    expect(world.upstream.requestsTo(host).map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
      'POST /api/v2/webhooks',
      'DELETE /api/v2/webhooks/w1',
    ]);
  },
};
