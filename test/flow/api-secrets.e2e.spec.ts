// What is secret is in no answer, no log line and no file, whatever a component does with it.
import { createClient } from '../../libs/client/index.ts';
import { withCast } from '../support/cast.ts';
import { isLog, stored } from '../support/stored.ts';
import { until } from '../support/until.ts';

const cast = withCast();

const token = 'sEcReT-prop/value+42 ü"x';
const pem = `-----BEGIN KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQ'.repeat(3)}\n${'EFAASCBKcwggSjAgEAAoIBAQC7'.repeat(3)}\n-----END KEY-----`;
const bearer = 'tok_9f8e7d6c5b4a3210';
const password = 'p4ssw0rd-of-basic';
const cookie = 'sess_c00kie_1234567';

const chatty = `export default { name: 'Chatty', version: '1',
  props: {
    http: { type: '$.interface.http', customResponse: true },
    token: { type: 'string', secret: true }, pem: { type: 'string', secret: true },
  },
  hooks: { activate() { console.log('hook', this.token, { pem: this.pem }); } },
  run({ headers }) {
    const secrets = [this.token, this.pem, headers.authorization, headers.cookie];
    console.log(this, headers, secrets);
    for (const secret of secrets) {
      const bytes = Buffer.from(secret);
      console.log(secret, JSON.stringify({ secret }), encodeURIComponent(secret), new Error(secret));
      console.error(bytes.toString('base64'), bytes.toString('hex'), Buffer.from('user:' + secret).toString('base64'));
    }
    this.http.respond({ body: 'done' });
    throw Object.assign(new TypeError('failed with ' + secrets.join()), { name: this.token });
  },
}`;

/** The text itself, and as it is encoded; of several lines each, as a console would show them. */
const formsOf = (secret: string): string[] => [
  ...secret.split('\n'),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('latin1'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];

test('props, headers, keys: nothing that is secret is left anywhere', async () => {
  const { product, receiver } = cast;
  const apiKey = await product.apiKey();
  const client = createClient({ baseUrl: product.baseUrl, apiKey });
  const webhook = await client.createWebhook({ url: receiver.url('/') });
  const source = await client.deploySource({ component_code: chatty, configured_props: { token, pem } });
  await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  const failing = chatty.replace('console.log', 'throw new Error');
  const refusal: unknown = await client
    .deploySource({ component_code: failing, configured_props: { token, pem } })
    .catch((error: unknown) => error);
  for (const authorization of [`Bearer ${bearer}`, `Basic ${Buffer.from(`user:${password}`).toString('base64')}`]) {
    const headers = { authorization, cookie: `theme=dark; sid=${cookie}` };
    expect(await (await fetch(source.configured_props.http.endpoint_url, { headers })).text()).toBe('done');
  }
  const runs = await until('both runs', async () => {
    const page = await client.runs(source.id);
    return page.data.filter(({ outcome }) => outcome === 'failed').length === 2 && page;
  });

  const told = [
    refusal,
    (refusal as Error).message,
    source,
    await client.source(source.id),
    runs,
    await client.webhooks(),
  ];
  const places = new Map([
    ['answers', JSON.stringify(told)],
    ['output', product.output],
  ]);
  for (const [place, text] of await stored(product.dataDir)) places.set(place, text);
  expect(places.get('answers')).toContain('[secret]');
  expect([...places.keys()].some(isLog)).toBe(true);

  const signing = webhook.signing_key.replace('whsec_', '');
  for (const secret of [token, pem, bearer, password, cookie, apiKey, signing]) {
    for (const form of formsOf(secret)) {
      const found = [...places].filter(([, text]) => text.includes(form)).map(([place]) => place);
      expect([form, found]).toEqual([form, []]);
    }
  }
});
