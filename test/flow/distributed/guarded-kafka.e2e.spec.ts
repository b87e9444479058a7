import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '../../../libs/client/index.ts';
import { Cluster } from '../../support/cluster/cluster.ts';
import { AppProcess } from '../../support/cluster/app-process.ts';
import { lightJava } from '../../support/cluster/light-java.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
const username = 'wellspring';
const password = randomBytes(12).toString('hex');
const storePassword = 'changeit';
const beginMs = 120_000;

let directory: string;
let cluster: Cluster;
let env: Readonly<Record<string, string>>;

/** The broker requires TLS, with a certificate of a private authority, and SCRAM. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guarded-'));
  const [store, authority] = [join(directory, 'broker.p12'), join(directory, 'authority.pem')];
  const keytool = (...args: string[]) => run('keytool', [...args, '-keystore', store, '-storepass', storePassword]);
  const names = ['-dname', 'CN=127.0.0.1', '-ext', 'san=ip:127.0.0.1'];
  await keytool('-genkeypair', '-alias', 'broker', '-keyalg', 'RSA', '-validity', '2', ...names);
  await writeFile(authority, (await keytool('-exportcert', '-rfc', '-alias', 'broker')).stdout);
  const address = `127.0.0.1:${await freePort()}`;
  env = {
    KAFKA_BROKERS: address,
    KAFKA_SSL: 'true',
    KAFKA_USERNAME: username,
    KAFKA_PASSWORD: password,
    NODE_EXTRA_CA_CERTS: authority,
  };
  const properties = {
    listeners: `PLAINTEXT://127.0.0.1:@PORT@,CONTROLLER://127.0.0.1:@CONTROLLER_PORT@,GUARDED://${address}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:@PORT@,GUARDED://${address}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,GUARDED:SASL_SSL',
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.guarded.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': store,
    'ssl.keystore.password': storePassword,
  };
  const formatOptions = ['--add-scram', `SCRAM-SHA-512=[name=${username},password=${password}]`];
  cluster = await Cluster.start({ brokerOptions: { javaOptions: lightJava, properties, formatOptions }, env });
}, beginMs);

afterAll(async () => {
  await cluster?.remove();
  await rm(directory, { recursive: true, force: true });
}, beginMs);

test('an event is delivered through a Kafka that requires TLS and SCRAM', async () => {
  const receiver = await Receiver.start();
  const client = createClient({ baseUrl: cluster.baseUrl, apiKey: await cluster.apiKey() });
  const source = await client.deploySource({ component_code: await readFile('docs/examples/greeter.js', 'utf8') });
  const webhook = await client.createWebhook({ url: receiver.url('/hook') });
  await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  const body = JSON.stringify({ name: 'Ada' });
  const headers = { 'content-type': 'application/json' };
  const posted = await fetch(source.configured_props['http']?.endpoint_url ?? '', { method: 'POST', headers, body });
  expect(posted.status).toBe(200);
  await until('the event to be delivered', () => receiver.requestsTo('/hook').length === 1, 30_000);
  await receiver.stop();
}, 60_000);

test.each([
  ['a wrong password', { KAFKA_PASSWORD: 'another-password' }, /SASL|[Aa]uthentication/],
  ['no TLS', { KAFKA_SSL: 'false' }, /closed|timeout|ended/i],
  ['an unknown authority', { NODE_EXTRA_CA_CERTS: '' }, /certificate/],
])(
  'with %s an app logs the reason and no password, and does not become ready',
  async (_, wrong, reason) => {
    const file = join(directory, `app-${Object.keys(wrong).join()}.log`);
    const app = new AppProcess('lifecycle', { ...cluster.environment, ...wrong }, file);
    let ready = false;
    app.start().then(
      () => (ready = true),
      () => undefined,
    );
    const readOutput = (): Promise<string> => readFile(file, 'utf8').catch(() => '');
    const waits = async (): Promise<string | undefined> =>
      (await readOutput()).split('\n').find((line) => line.includes('waiting for a server'));
    await until('it to say what it waits for', async () => (await waits()) !== undefined, 60_000);
    await app.remove();
    expect(ready).toBe(false);
    expect(JSON.parse((await waits()) ?? '')).toMatchObject({ reason: expect.stringMatching(reason) });
    expect(await readOutput()).not.toContain(password);
    expect(await readOutput()).not.toContain('another-password');
  },
  90_000,
);
