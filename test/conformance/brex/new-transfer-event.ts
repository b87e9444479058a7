// Verifies signatures with Buffer keys, requests details before it emits and answers, and throws at unsigned requests.
import { createHmac, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { World } from '../world.ts';
import type { Story } from '../story.ts';

const path = '@pipedream/brex@0.1.1/sources/new-transfer-event/new-transfer-event.mjs';
const host = 'platform.brexapis.com';
const token = 'a-token-for-transfers';
const key = randomBytes(24);
const transfer = { event_type: 'TRANSFER_PROCESSED', transfer_id: 'tr_1' };

export const newTransferEvent: Story = {
  key: 'brex-new-transfer-event',
  async play(world) {
    serve(world);
    const brexApp = await world.account('brex', { oauth_access_token: token });
    const source = await world.deploy(path, { brexApp, events: ['TRANSFER_PROCESSED'] });
    expect(world.upstream.requestsTo(host)).toMatchObject([
      {
        method: 'POST',
        path: '/v1/webhooks',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': expect.stringMatching(/^[\da-f-]{36}$/) },
        body: { url: source.configured_props.http.endpoint_url, event_types: ['TRANSFER_PROCESSED'] },
      },
    ]);

    const body = JSON.stringify(transfer);
    const before = Date.now();
    expect(await world.send(source, { headers: signedHeaders(body, key), body })).toMatchObject({
      status: 200,
      body: '',
    });
    expect((await world.send(source, { body })).status).toBe(500);
    expect((await world.send(source, { headers: signedHeaders(body, randomBytes(24)), body })).status).toBe(500);

    const [event] = await world.events(source, 1);
    expect(event).toMatchObject({
      event: { ...transfer, details: { id: 'tr_1', amount: 5 } },
      metadata: { id: 'tr_1', name: '', summary: 'tr_1' },
    });
    expect(event?.metadata.ts).toBeGreaterThanOrEqual(before);
    const failures = await world.events(source, 2, '$errors');
    expect(failures).toMatchObject([
      { event: { error: { message: expect.stringContaining('header(s) is missing') } } },
      { event: { error: { message: expect.stringContaining('does not match') } } },
    ]);
    expect((await world.httpRuns(source, 3)).map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed', 'failed']);

    await world.client.deleteSource(source.id);
    expect(world.upstream.requestsTo(host).map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
      'POST /v1/webhooks',
      'GET /v1/webhooks/secrets',
      'GET /v1/transfers/tr_1',
      'GET /v1/webhooks/secrets',
      'DELETE /v1/webhooks/h1',
    ]);
  },
};

function serve(world: World): void {
  const answers: Readonly<Record<string, unknown>> = {
    'POST /v1/webhooks': { id: 'h1' },
    'GET /v1/webhooks/secrets': [{ secret: key.toString('base64') }],
    'GET /v1/transfers/tr_1': { id: 'tr_1', amount: 5 },
    'DELETE /v1/webhooks/h1': {},
  };
  world.upstream.serve(host, ({ method, path: asked }) => {
    const body = answers[`${method} ${asked}`];
    return body === undefined ? undefined : { body };
  });
}

function signedHeaders(body: string, signingKey: Buffer): Readonly<Record<string, string>> {
  const [id, timestamp] = ['msg_1', '1700000000'];
  const signature = createHmac('sha256', signingKey).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
