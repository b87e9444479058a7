import { processorMs } from '../../../../primitives/processor-ms.fake.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const requestFrom = (remoteAddress: string, forwardedFor?: string) => ({
  headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  socket: { remoteAddress },
});

const proxies = new TrustedProxies(['10.0.0.0/8', '127.0.0.1/32', 'fd00::/8']);

test.each([
  ['a client that connects directly', '203.0.113.7', undefined, '203.0.113.7'],
  ['a direct client that claims to be somebody else', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['a client behind a trusted proxy', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a client behind two trusted proxies', '127.0.0.1', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
  ['a client that sends the header itself, behind a trusted proxy', '127.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['a client that claims to be a trusted proxy', '127.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
  ['a request that only trusted proxies have passed on', '127.0.0.1', '10.0.0.2,10.0.0.3', '10.0.0.2'],
  ['a trusted proxy that names nobody', '127.0.0.1', undefined, '127.0.0.1'],
  ['a trusted proxy that names no address', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['an address with a port', '127.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
  ['an IPv6 address with a port', '127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['an IPv6 proxy', 'fd00::1', '2001:db8::1', '2001:db8::1'],
  ['IPv4 on an IPv6 socket', '::ffff:10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
])('%s', (_, remoteAddress, forwardedFor, client) => {
  expect(proxies.clientOf(requestFrom(remoteAddress, forwardedFor))).toBe(client);
});

test('without trusted proxies the header is ignored', () => {
  expect(new TrustedProxies().clientOf(requestFrom('127.0.0.1', '203.0.113.7'))).toBe('127.0.0.1');
});

test('16 KiB of commas are read in no time', () => {
  const header = '10.0.0.1,'.repeat(1_600);
  expect(processorMs(() => void proxies.clientOf(requestFrom('127.0.0.1', header)))).toBeLessThan(1_000);
});

test('a request whose connection is gone has no client', () => {
  expect(proxies.clientOf({ headers: {}, socket: {} })).toBe('');
});
