import { readFile } from 'node:fs/promises';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { until } from '../../support/until.ts';

const runaway = (body: string): string => `
module.exports = {
  name: 'Runaway', version: '0.0.1', props: { http: '$.interface.http' },
  async run() { console.log('before'); ${body} },
};`;

/** A loop may use up its time slice, and a process gets time to show signs of life before it is killed. */
const containedMs = 30_000;

const fixture = withFixture();
let client: Client;

beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

test.each([
  ['loops forever', 'for (;;) {}', /computed for more than/],
  [
    'loops forever in promises',
    '(async () => { for (;;) await 0; })(); return new Promise(() => {});',
    /computed for more than/,
  ],
  [
    // With pauses: on a busy machine, a run without any could reach its time limit before its memory limit.
    'exhausts memory',
    'for (const all = []; ; await new Promise((done) => setTimeout(done, 0))) all.push(new Array(1e5).fill(Math.random()));',
    /memory/,
  ],
  // On a busy machine it may reach its time limit first.
  ['kills its process', '"a".repeat(2 ** 28).split("");', /ended the process|computed for more than/],
])(
  'a component that %s fails with the reason, and other sources still run and deliver',
  async (_, body, reason) => {
    const healthy = await client.deploySource({ component_code: await ticker() });
    const webhook = await client.createWebhook({ url: fixture.receiver.url(`/${healthy.id}`) });
    await client.createSubscription({ emitter_id: healthy.id, listener_id: webhook.id });
    const bad = await client.deploySource({ component_code: runaway(body) });

    const answer = await send(bad.configured_props.http.endpoint_url, 0);
    expect(answer).toBe(200);
    for (let n = 0; n < 20; n++) expect(await send(healthy.configured_props.http.endpoint_url, n)).toBe(200);
    await until(
      'the healthy source to deliver',
      () => fixture.receiver.requestsTo(`/${healthy.id}`).length === 20,
      containedMs,
    );

    const run = await until('the run record', () => httpRunOf(bad.id), containedMs);
    expect(run).toMatchObject({ outcome: 'failed', error: { message: expect.stringMatching(reason) } });
  },
  90_000,
);

test('refuses a component that kills its compiler and says what to change, while others can be deployed', async () => {
  const brackets = 'module.exports = ' + '['.repeat(250_000) + ']'.repeat(250_000);
  let refused: unknown;
  const deadly = client.deploySource({ component_code: brackets }).catch((error: unknown) => (refused = error));
  for (let deploys = 0; deploys < 3 || refused === undefined; deploys++) {
    const healthy = await client.deploySource({ component_code: await ticker() });
    expect(await send(healthy.configured_props.http.endpoint_url, deploys)).toBe(200);
  }
  await deadly;
  expect(String(refused)).toMatch(/could not be compiled.*less deeply/);
}, 90_000);

const ticker = (): Promise<string> => readFile(new URL('../../flow/components/ticker.js', import.meta.url), 'utf8');

async function httpRunOf(sourceId: string): Promise<object | undefined> {
  return (await client.runs(sourceId)).data.find(({ kind }) => kind === 'http');
}

async function send(endpoint: string, n: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ n }) });
  await answer.arrayBuffer();
  return answer.status;
}
