import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../libs/client/index.ts';
import { withFixture } from '../support/fixture.ts';
import { engine } from '../support/engine.ts';
import { until } from '../support/until.ts';

const fixture = withFixture();

const client = async () => createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });

test('prints its address and the path of the first API key, but not the key; key files have mode 600', async () => {
  // Its output may come a moment after its first answer.
  await until('it to say where the key is', () =>
    fixture.product.output.includes(join(fixture.product.dataDir, 'api-key')),
  );
  expect(fixture.product.output).toContain(fixture.product.baseUrl);
  expect(fixture.product.output).not.toContain(await fixture.product.apiKey());
  for (const secret of ['api-key', 'master-key']) {
    expect((await stat(join(fixture.product.dataDir, secret))).mode & 0o777).toBe(0o600);
  }
});

test('stops with 0 in under 5 s while a receiver hangs, and has lost nothing after the next start', async () => {
  const api = await client();
  const code = await readFile(new URL('./components/ticker.js', import.meta.url), 'utf8');
  const source = await api.deploySource({ component_code: code, name: 'Kept' });
  const webhook = await api.createWebhook({ url: fixture.receiver.url('/hangs'), retry_schedule: [1, 1, 1, 1, 1] });
  await api.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  fixture.receiver.behaviours.set('/hangs', 'hang');
  await fetch(source.configured_props.http?.endpoint_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":1}',
  });
  await until('the attempt to hang', () => fixture.receiver.requestsTo('/hangs').length === 1);
  const key = await fixture.product.apiKey();

  const startedAt = performance.now();
  expect(await fixture.product.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(5_000);

  fixture.receiver.behaviours.set('/hangs', 'ok');
  await fixture.product.start();
  expect(await fixture.product.apiKey()).toBe(key);
  expect(await api.source(source.id)).toMatchObject({ name: 'Kept', state: 'active' });
  await until('the event to be delivered after all', () => fixture.receiver.requestsTo('/hangs').length === 2);
  expect(new Set(fixture.receiver.requestsTo('/hangs').map(({ id }) => id)).size).toBe(1);
}, 60_000);

/** Ctrl-C at a terminal, systemd, and a terminal that is closed signal every process of the service. */
test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s to all of its processes lets a run finish',
  async (signal) => {
    const api = await client();
    const path = `/begun/${signal}`;
    const begun = (): number => fixture.receiver.requestsTo(path).length;
    const code = `module.exports = {
    name: 'Slow', version: '0.0.1', props: { http: '$.interface.http' },
    async run() {
      await fetch('${fixture.receiver.url(path)}', { method: 'POST' });
      await new Promise((done) => setTimeout(done, 1_000));
    },
  };`;
    const source = await api.deploySource({ component_code: code });
    await fetch(source.configured_props.http?.endpoint_url ?? '', { method: 'POST' });
    await until('the run to begin', () => begun() === 1);
    expect(await fixture.product.stop(signal)).toBe(0);
    expect(fixture.product.output).not.toMatch(/process died/);
    await fixture.product.start();
    const runs = async () => (await api.runs(source.id, { kind: 'http' })).data.map(({ outcome }) => outcome);
    await until('the run to be shown', async () => (await runs()).length > 0);
    expect(await runs()).toEqual(['succeeded']);
    expect(begun()).toBe(1);
    await api.deleteSource(source.id);
  },
  60_000,
);

/** One process finds that its data keys do not open, one of many that its log was begun with another key. */
const wrongKeyMessage =
  engine === 'embedded'
    ? /master key does not open .* MASTER_KEY/s
    : /MASTER_KEY is not the one that the log .* was begun with/;

test('refuses to start with a wrong master key and names MASTER_KEY', async () => {
  await fixture.product.stop();
  const file = join(fixture.product.dataDir, 'master-key');
  const right = await readFile(file);
  await writeFile(file, Buffer.alloc(32, 7).toString('base64'));
  fixture.product.spawn();
  expect(await fixture.product.waitForExit()).toBe(1);
  expect(fixture.product.output).toMatch(wrongKeyMessage);
  await writeFile(file, right);
  await fixture.product.start();
  // With the wrong key nothing on the log is called damaged.
  const health = (await (await fetch(`${fixture.product.baseUrl}/health`)).json()) as { alerts: unknown };
  expect(health.alerts).toEqual([]);
}, 60_000);
