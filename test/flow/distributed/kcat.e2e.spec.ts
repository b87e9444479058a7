import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, Source } from '../../../libs/client/index.ts';
import { partitionOf } from '../../../libs/domain/flow.ts';
import { isKcatInstalled, readTopic, writeStray } from '../../support/kcat.ts';
import type { KcatRecord } from '../../support/kcat.ts';
import { Product } from '../../support/product.ts';
import { Receiver } from '../../support/receiver.ts';
import { serversFor } from '../../support/engine.ts';
import { TopicSchemas } from '../../support/topic-schemas.ts';
import { until } from '../../support/until.ts';

const brokers = process.env['KAFKA_BROKERS'] ?? '';
/** The last one is long enough to be compressed. */
const names = ['Ada', 'Grace', 'Radia', 'Ada'.repeat(4_000)];
const schemas = new TopicSchemas();

const lacking = [
  ...(brokers === '' ? ['set KAFKA_BROKERS (npm run engines prints it)'] : []),
  ...((await isKcatInstalled()) ? [] : ['install kcat (Debian: apt-get install kcat)']),
];

if (lacking.length > 0) {
  test(`skipped: ${lacking.join(' and ')} to read the topics as others do`, () => {
    process.stderr.write(`skipped: ${lacking.join(' and ')} to read the topics as others do\n`);
    expect(process.env['CI']).not.toBe('true');
  });
} else {
  describe('what kcat reads', () => {
    describeReadable();
  });
}

function describeReadable(): void {
  let product: Product;
  let receiver: Receiver;
  let client: Client;
  let source: Source;

  const variable = (name: string): string => serversFor(product.dataDir)[name] ?? '';
  const prefix = (): string => variable('KAFKA_TOPIC_PREFIX');
  const read = (topic: string): Promise<readonly KcatRecord[]> => readTopic(brokers, prefix() + topic);

  beforeAll(async () => {
    [product, receiver] = await Promise.all([Product.start({ env: { CHECKPOINT_SECONDS: '1' } }), Receiver.start()]);
    client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
    source = await client.deploySource({ component_code: await readFile('docs/examples/greeter.js', 'utf8') });
    const webhook = await client.createWebhook({ url: receiver.url('/hook') });
    const subscription = await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    for (const name of names) await post(source.configured_props.http.endpoint_url, name);
    await until('every event to be delivered', () => receiver.requestsTo('/hook').length >= names.length, 30_000);
    expect(await client.countReplay(subscription.id)).toMatchObject({ count: names.length });
    await writeStray(brokers, `${prefix()}commands`, stray);
    await until('the alert about the stray record', () => isAlerted(product.baseUrl), 30_000);
    await expect(client.deploySource({ component_code: 'not a component (' })).rejects.toThrow();
    const short = { component_code: 'module.exports = { name: "Short", version: "0.0.1", async run() {} }' };
    const { id } = await client.deploySource(short, { idempotencyKey: 'short' });
    await client.deleteSource(id);
    // Its schedule is on the log; its first tick is a day away.
    const daily = "props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 86400 } } }";
    // The same is true of the event that it emits for tomorrow.
    const tomorrow = 'hooks: { deploy() { this.$emit({}, { delivery_ts: Date.now() + 86400000 }); } }';
    const code = `module.exports = { name: "Daily", version: "0.0.1", ${daily}, ${tomorrow}, async run() {} }`;
    const { id: component_id } = await client.saveComponent({ component_code: code });
    await client.accounts.create({ app: 'acme_crm', credentials: { api_key: 'k' } });
    const store = await client.dataStores.create('Seen orders');
    await client.dataStores.set(store.id, 'order 17', { paid: true });
    const timed = await client.deploySource({ component_id });
    const isSigned = async (): Promise<boolean> => (await client.signedHistory.checkpoints()).data.length > 0;
    await until('a checkpoint', isSigned, 30_000);
    await until('its schedule', async () => (await client.source(timed.id)).next_run_at_ms !== null, 30_000);
  }, 90_000);

  afterAll(async () => {
    await product.stop();
    await Promise.all([product.remove(), receiver.stop()]);
  }, 30_000);

  test("`channels` has every emitted event once and in order, in its source's partition", async () => {
    const records = await read('channels');
    expect(records.map(({ data }) => (data as { event: unknown }).event)).toEqual(
      names.map((name) => ({ greeting: `Hello, ${name}!` })),
    );
    for (const [i, { key, partition, headers, data }] of records.entries()) {
      expect({ key, partition }).toEqual({
        key: source.id,
        partition: partitionOf(source.id, Number(variable('KAFKA_PARTITIONS'))),
      });
      expect(headers).toMatchObject({ ce_type: 'EventEmitted', ce_source: '/wellspring/channels', ce_version: '1' });
      const { eventId, emitterId } = data as { eventId: string; emitterId: string };
      expect({ eventId, emitterId }).toEqual({
        eventId: `${Date.parse(headers['ce_time'] ?? '')}-${i}`,
        emitterId: source.id,
      });
    }
  });

  test('`components` has every step in the life of each source', async () => {
    const records = await read('components');
    const ids = new Set(records.map(({ key }) => key));
    const lives = [...ids].map((id) =>
      records.filter(({ key }) => key === id).map(({ headers }) => headers['ce_type']),
    );
    const deployed = ['SourceDeploying', 'SourceConfigured', 'SourceDeployed'];
    expect(lives.sort((a, b) => a.length - b.length)).toEqual([
      ['SourceDeploying', 'SourceDeployRefused'],
      deployed,
      deployed,
      [...deployed, 'SourceDeleting', 'SourceDeleted'],
    ]);
    const own = records.filter(({ key }) => key === source.id);
    expect(new Set(own.map(({ headers }) => headers['ce_correlationid'])).size).toBe(1);
  });

  test.each(schemas.topics)(
    'every record on `%s` is there once and matches the documents about topics',
    async (topic) => {
      const records = (await read(topic)).filter(({ key }) => key !== stray);
      expect(new Set(records.map(({ headers }) => headers['ce_id'])).size).toBe(records.length);
      // `indexes` gets its first record with the 16,384th event of a partition.
      // `bundles` has records only for components with packages.
      if (topic !== 'indexes' && topic !== 'bundles') expect(records.length).toBeGreaterThan(0);
      expect(records.flatMap((record) => schemas.problems(topic, record))).toEqual([]);
    },
  );

  test('the command in docs/topics.md, with the prefix of this test, prints the events', async () => {
    const page = await readFile('docs/topics.md', 'utf8');
    const command = /```sh\n(kcat [^`]+)```/.exec(page)?.[1]?.replace('-t channels', `-t ${prefix()}channels`);
    const { stdout } = await promisify(execFile)('bash', ['-c', command ?? ''], {
      env: { ...process.env, KAFKA_BROKERS: brokers },
    });
    for (const name of names) expect(stdout).toContain(`{"greeting":"Hello, ${name}!"}`);
    expect(stdout).toContain('ce_type=EventEmitted');
  });

  test('the program in docs/topics.md, with the prefix of this test, prints the events with kafkajs', async () => {
    const page = await readFile('docs/topics.md', 'utf8');
    const program = /```js\n(import [^`]+)```/.exec(page)?.[1]?.replace("'channels'", `'${prefix()}channels'`) ?? '';
    const reading = execFile(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, KAFKA_BROKERS: brokers },
    });
    let printed = '';
    reading.stdout?.on('data', (text: string) => (printed += text));
    const isPrinted = (): boolean =>
      names.every((name) => printed.includes(JSON.stringify({ greeting: `Hello, ${name}!` })));
    await until('every event to be printed', isPrinted, 30_000).finally(() => reading.kill());
    expect(printed.split(`${source.id} {`)).toHaveLength(names.length + 1);
  }, 40_000);
}

/** The key of a record that the service did not write. */
const stray = 'stray';

async function isAlerted(baseUrl: string): Promise<boolean> {
  const { alerts } = (await (await fetch(`${baseUrl}/health`)).json()) as { alerts?: readonly unknown[] };
  return (alerts ?? []).length > 0;
}

async function post(endpoint: string, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ name }) });
  expect(response.status).toBe(200);
}
