// Does a handshake during activation: the upstream calls the endpoint before it answers the registration.
import { createHmac } from 'node:crypto';
import { expect } from '@jest/globals';
import type { World } from '../world.ts';
import type { Story } from '../story.ts';

const path = '@pipedream/clio@0.1.1/sources/new-activity-instant/new-activity-instant.mjs';
const host = 'app.clio.com';
const token = 'a-token-for-activities';
const secret = 'what-both-sign-with';
const activity = { data: { id: 5, created_at: '2024-01-02T00:00:00Z' }, meta: { event: 'created' } };

interface Registration {
  readonly data: { readonly url: string };
}

interface Handshake {
  readonly status: number;
  readonly body: string;
  readonly echoed: string | null;
}

export const newActivityInstant: Story = {
  key: 'clio-new-activity-instant',
  async play(world) {
    const handshakes: Handshake[] = [];
    serve(world, handshakes);
    const app = await world.account('clio', { oauth_access_token: token });
    const source = await world.deploy(path, { app, fields: ['id', 'note'] });
    expect(handshakes).toEqual([{ status: 200, body: 'OK', echoed: secret }]);
    expect(world.upstream.requestsTo(host)).toMatchObject([
      {
        headers: { authorization: `Bearer ${token}` },
        body: {
          data: {
            url: source.configured_props.http.endpoint_url,
            events: ['created'],
            model: 'activity',
            fields: 'created_at,updated_at,id,note',
          },
        },
      },
    ]);

    const body = JSON.stringify(activity);
    const send = async (by: string): Promise<number> => {
      const signature = createHmac('sha256', by).update(body).digest('hex');
      return (await world.send(source, { headers: { 'x-hook-signature': signature }, body })).status;
    };
    expect(await send('another')).toBe(401);
    expect(await send(secret)).toBe(200);
    expect((await world.httpRuns(source, 3)).map(({ outcome, emitted }) => [outcome, emitted.length])).toEqual([
      ['succeeded', 0],
      ['succeeded', 0],
      ['succeeded', 1],
    ]);
    expect(await world.events(source, 1)).toMatchObject([
      { event: activity, metadata: { id: 5, name: '', summary: 'New Activity: 5', ts: 1704153600000 } },
    ]);

    await world.client.deleteSource(source.id);
    expect(world.upstream.requestsTo(host).map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
      'POST /api/v4/webhooks.json',
      'DELETE /api/v4/webhooks/77.json',
    ]);
  },
};

function serve(world: World, handshakes: Handshake[]): void {
  world.upstream.serve(host, async ({ method, path: asked, body }) => {
    if (method === 'DELETE' && asked === '/api/v4/webhooks/77.json') return { status: 204 };
    if (method !== 'POST' || asked !== '/api/v4/webhooks.json') return undefined;
    const response = await fetch((body as Registration).data.url, {
      method: 'POST',
      headers: { 'x-hook-secret': secret },
    });
    const { status, headers } = response;
    handshakes.push({ status, body: await response.text(), echoed: headers.get('x-hook-secret') });
    return { status: 201, body: { data: { id: 77 } } };
  });
}
