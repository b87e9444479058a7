import type { Trigger } from '../../../../domain/source/messages.ts';
import { TestBed } from '../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ trustedProxies: ['127.0.0.1/32'] });
});
afterAll(() => bed?.stop());

const from = (client: string) => ({ headers: { 'x-forwarded-for': client } });

test('a component gets the address of the client that a trusted proxy names', async () => {
  await bed.send('POST', await bed.deployEndpoint(), { body: {}, ...from('203.0.113.7') });
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
