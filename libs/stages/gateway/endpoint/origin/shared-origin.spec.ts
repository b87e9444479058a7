import type { Manifest } from '../../../../domain/component/manifest.ts';
import type { FakeComponent } from '../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer, TestBedOptions } from '../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Echo',
  version: '1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [{ name: 'http', type: '$.interface.http', customResponse: true }],
};
const own = {
  'set-cookie': ['a=1', 'wellspring_session_0=x'],
  'Clear-Site-Data': '"*"',
  'Service-Worker-Allowed': '/',
  'Content-Security-Policy': "img-src 'none'",
  'x-own': '1',
};
const component: FakeComponent = {
  manifest,
  run: ({ respond }) => respond({ status: 200, headers: own, bodyBase64: Buffer.from('page').toString('base64') }),
};

async function served(options: TestBedOptions = {}) {
  const bed = await TestBed.start({ ...options, components: new Map([['echo', component]]) });
  const deployed = await bed.call('POST', '/v1/sources', { body: { component_code: 'echo' } });
  const { http } = (deployed.body.data as { configured_props: { http: { endpoint_url: string } } }).configured_props;
  const url = new URL(http.endpoint_url);
  const at = (host: string, path = url.pathname): Promise<Answer> => bed.send('GET', path, { headers: { host } });
  return { bed, url, at };
}

test('answers below /e/ are sandboxed and lose headers that act on the whole host', async () => {
  const { bed, at, url } = await served();
  const { headers, text } = await at(url.host);
  expect([text, headers['x-own']]).toEqual(['page', '1']);
  expect(headers['content-security-policy']).toBe("sandbox allow-scripts allow-forms, img-src 'none'");
  for (const name of ['set-cookie', 'clear-site-data', 'service-worker-allowed'])
    expect(headers).not.toHaveProperty(name);
  const unknown = await at(url.host, '/e/nobody');
  expect([unknown.status, unknown.headers['content-security-policy']]).toEqual([
    404,
    'sandbox allow-scripts allow-forms',
  ]);
  await bed.stop();
});

test('on a separate host, endpoints keep all their headers, and each host serves only its own routes', async () => {
  const { bed, at, url } = await served({ endpointUrl: 'https://hooks.test' });
  expect(url.origin).toBe('https://hooks.test');
  const { headers } = await at('hooks.test');
  expect(headers).toMatchObject({ 'set-cookie': own['set-cookie'], 'content-security-policy': "img-src 'none'" });
  const statusOf = async (host: string, path: string) => (await at(host, path)).status;
  for (const host of ['hooks.test', 'HOOKS.test:8443', 'hooks.test.'])
    expect([
      await statusOf(host, url.pathname),
      await statusOf(host, '/openapi.json'),
      await statusOf(host, '/'),
    ]).toEqual([200, 404, 404]);
  expect(await statusOf('test.local', url.pathname.replace('/e/', '/%65/'))).toBe(404);
  for (const host of ['test.local', '127.0.0.1:3000'])
    expect([
      await statusOf(host, url.pathname),
      await statusOf(host, '/openapi.json'),
      await statusOf(host, '/'),
    ]).toEqual([404, 200, 200]);
  await bed.stop();
});
