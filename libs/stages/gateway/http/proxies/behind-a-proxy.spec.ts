import type { Trigger } from '../../../../domain/source/messages.ts';
import { TestBed } from '../../test-bed.fake.ts';

const manifest = {
  name: 'Endpoint',
  version: '0.0.1',
  type: 'source' as const,
  props: [{ name: 'http', type: '$.interface.http' }],
  hooks: [],
  methods: [],
  additionalProps: false,
};

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ trustedProxies: ['127.0.0.1/32'] });
});
afterAll(() => bed?.stop());

const from = (client: string) => ({ headers: { 'x-forwarded-for': client } });

test('a component gets the address of the client that a trusted proxy names', async () => {
  bed.components.set('plain', { manifest });
  const { body } = await bed.ask('POST', '/v1/sources', { body: { component_code: 'plain' } });
  const { endpoint_url: url } = (body.data as { configured_props: { http: { endpoint_url: string } } }).configured_props
    .http;
  await bed.send('POST', new URL(url).pathname, { body: {}, ...from('203.0.113.7') });
  const triggers = bed.log.records('triggers') as unknown as Trigger[];
  expect(triggers.map(({ data }) => data.http?.clientIp)).toContain('203.0.113.7');
});

test('sign-ins are limited for each client behind the proxy, not for all of them together', async () => {
  const signIn = (client: string) => bed.send('POST', '/session', { body: { api_key: 'wrong' }, ...from(client) });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 30; attempt++) statuses.push((await signIn('203.0.113.8')).status);
  expect(statuses).toContain(429);
  expect((await signIn('203.0.113.9')).status).toBe(401);
});
