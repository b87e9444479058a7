// Secrets are in no answer, no log line and no file, whatever a component does with them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formsOf } from '../../libs/domain/secrets/forms.ts';
import { createClient } from '../../libs/client/index.ts';
import { withFixture } from '../support/fixture.ts';
import { commandLines, readStoredTexts } from '../support/stored/stored-texts.ts';
import { until } from '../support/until.ts';

const fixture = withFixture();

const token = 'sEcReT-prop/value+42 ü"x';
const pem = `-----BEGIN KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQ'.repeat(3)}\n${'EFAASCBKcwggSjAgEAAoIBAQC7'.repeat(3)}\n-----END KEY-----`;
const bearer = 'tok_9f8e7d6c5b4a3210';
const password = 'p4ssw0rd-of-basic';
const cookie = 'sess_c00kie_1234567';
const unkept = 'a body that is not to be kept 0815';
const inUrl = 'hush-in-a-query-47114711';
/** In a secret of several lines, shorter lines are ordinary words. */
const lineCharsMin = 12;

const chatty = `export default { name: 'Chatty', version: '1',
  props: {
    http: { type: '$.interface.http', customResponse: true }, db: '$.service.db', origin: 'string',
    token: { type: 'string', secret: true }, pem: { type: 'string', secret: true },
  },
  hooks: { activate() { console.log('hook', this.token, { pem: this.pem }); } },
  async run({ headers, bodyRaw, method }) {
    const secrets = [this.token, this.pem, headers.authorization, headers.cookie, bodyRaw].filter(Boolean);
    const fields = { authorization: 'Bearer ' + encodeURIComponent(this.token) };
    await fetch(this.origin + '/asked?key=' + encodeURIComponent(this.token), { headers: fields });
    await fetch('http://10.0.0.1/' + encodeURIComponent(this.token)).catch((error) => console.error(error));
    this.db.set('kept', secrets);
    console.log(this, headers, secrets);
    for (const secret of secrets) {
      const bytes = Buffer.from(secret);
      console.log(secret, JSON.stringify({ secret }), encodeURIComponent(secret), new Error(secret));
      console.error(bytes.toString('base64'), bytes.toString('hex'), Buffer.from('user:' + secret).toString('base64'));
    }
    this.$emit('done');
    this.http.respond({ body: 'done' });
    throw Object.assign(new TypeError('failed with ' + secrets.join()), { name: this.token });
  },
}`;

/** Every form that is masked, and the form in which files are read here. */
const searchedForms = (secret: string): readonly string[] => [
  ...new Set([
    ...formsOf(secret, lineCharsMin),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    Buffer.from(secret).toString('latin1'),
  ]),
];

/** For the distributed engine, the start script keeps it beside the data. */
async function masterKeyOf(dataDir: string): Promise<string[]> {
  const text = (await readFile(join(dataDir, 'master-key'), 'utf8')).trim();
  return [text, Buffer.from(text, 'base64').toString('hex')];
}

test('secret props, request headers and keys appear in no answer, output, command line or stored data', async () => {
  const { product, receiver } = fixture;
  const apiKey = await product.apiKey();
  const client = createClient({ baseUrl: product.baseUrl, apiKey });
  const webhook = await client.createWebhook({ url: receiver.url('/') });
  const source = await client.deploySource({
    component_code: chatty,
    configured_props: { token, pem, origin: receiver.url('') },
  });
  const subscription = await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  const failing = chatty.replace('console.log', 'throw new Error');
  const refusal: unknown = await client
    .deploySource({ component_code: failing, configured_props: { token, pem, origin: receiver.url('') } })
    .catch((error: unknown) => error);
  for (const authorization of [`Bearer ${bearer}`, `Basic ${Buffer.from(`user:${password}`).toString('base64')}`]) {
    const headers = { authorization, cookie: `theme=dark; sid=${cookie}` };
    expect(await (await fetch(source.configured_props.http.endpoint_url, { headers })).text()).toBe('done');
  }
  const request = { method: 'POST', headers: { 'x-pd-nostore': '1' }, body: unkept };
  expect(await (await fetch(source.configured_props.http.endpoint_url, request)).text()).toBe('done');
  const byUrl: unknown = await client
    .saveComponent({ component_url: receiver.url(`/code.js?key=${inUrl}`) })
    .catch((error: unknown) => error);
  const runs = await until('all runs', async () => {
    const page = await client.runs(source.id);
    return page.data.filter(({ outcome }) => outcome === 'failed').length === 3 && page;
  });

  await until('all deliveries', async () => {
    const { data } = await client.deliveries(subscription.id);
    return data.filter(({ state }) => state === 'delivered').length === 3;
  });

  const told = [
    refusal,
    (refusal as Error).message,
    byUrl,
    (byUrl as Error).message,
    source,
    await client.source(source.id),
    runs,
    await client.webhooks(),
    await client.eventSummaries(source.id, { event_name: '$errors', expand: 'event' }),
    await client.eventSummaries(source.id, { event_name: '$logs', expand: 'event' }),
    await (await fetch(`${product.baseUrl}/health`)).text(),
  ];
  const places = new Map([
    ['answers', JSON.stringify(told)],
    ['command lines', await commandLines()],
  ]);
  const keys = [apiKey, ...(await masterKeyOf(product.dataDir))];
  await product.stop();
  places.set('output', product.output);
  for (const [place, text] of await readStoredTexts(product.dataDir)) places.set(place, text);
  expect(places.get('answers')).toContain('[secret]');
  expect(places.get('answers')).toContain('"request_count":2');
  expect(places.get('command lines')).toContain('runner');
  const topics = ['commands', 'triggers', 'components', 'channels', 'runs', 'hooks', 'state', 'deliveries'];
  expect(topics.filter((topic) => ![...places.keys()].some((place) => place.startsWith(`${topic}/`)))).toEqual([]);
  expect([...places.keys()].filter((place) => /^(view|MongoDB) /.test(place)).length).toBeGreaterThan(4);

  const placesOf = (text: string): string[] =>
    [...places].filter(([, held]) => held.includes(text)).map(([place]) => place);
  // Text that is not secret is found, compressed or not.
  const clear = placesOf(receiver.url('')).map((place) => place.replace(/\/\d+$/, ''));
  expect(clear).toEqual(expect.arrayContaining(['components', expect.stringMatching(/^(view|MongoDB) .*sources/)]));
  const signing = webhook.signing_key.replace('whsec_', '');
  for (const secret of [token, pem, bearer, password, cookie, unkept, inUrl, signing, ...keys]) {
    for (const form of searchedForms(secret)) expect([form, placesOf(form)]).toEqual([form, []]);
  }
});
