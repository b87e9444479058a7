import { isIP } from 'node:net';
import { canDiscloseAddress } from './address.ts';
import { AllowedAddresses } from './allowed-addresses.ts';

const allowed = new AllowedAddresses([], undefined);

/** The host as the URL parser normalizes it for a connector. */
const hostOf = (spelling: string): string => new URL(`http://${spelling}/`).hostname.replace(/^\[|\]$/g, '');

const refusedIpv4 = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private 10/8', '10.0.0.1'],
  ['private 10/8, its end', '10.255.255.255'],
  ['private 172.16/12', '172.16.0.1'],
  ['private 172.16/12, its end', '172.31.255.255'],
  ['private 192.168/16', '192.168.1.1'],
  ['shared 100.64/10', '100.64.0.1'],
  ['shared 100.64/10, its end', '100.127.255.255'],
  ['metadata of Alibaba Cloud', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback, another', '127.1.2.3'],
  ['loopback, its end', '127.255.255.255'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['metadata of ECS tasks', '169.254.170.2'],
  ['metadata of Oracle Cloud', '192.0.0.192'],
  ['metadata of Azure', '168.63.129.16'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['6to4 relay anycast', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking, its end', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast, its end', '239.255.255.255'],
  ['reserved 240/4', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
] as const;

const refusedSpellings = [
  ['decimal', '2130706433'],
  ['octal', '0177.0.0.1'],
  ['octal, padded', '00000177.0.0.1'],
  ['hexadecimal', '0x7f000001'],
  ['hexadecimal parts', '0x7f.0.0.1'],
  ['one part missing', '127.0.1'],
  ['two parts missing', '127.1'],
  ['zero', '0'],
  ['decimal metadata', '2852039166'],
  ['hexadecimal metadata', '0xa9fea9fe'],
  ['octal metadata', '0251.0376.0251.0376'],
  ['mixed', '0xa9.254.0251.254'],
  ['trailing dot', '127.0.0.1.'],
  ['full-width digits', '１２７.０.０.１'],
  ['percent-encoded', '%31%32%37.0.0.1'],
] as const;

const refusedIpv6 = [
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, written out', '0:0:0:0:0:0:0:1'],
  ['link-local', 'fe80::1'],
  ['link-local, its end', 'febf::1'],
  ['link-local with a scope id', 'fe80::1%eth0'],
  ['loopback with a scope id', '::1%lo'],
  ['site-local', 'fec0::1'],
  ['unique local fc00', 'fc00::1'],
  ['unique local fd00', 'fdff::1'],
  ['metadata of EC2', 'fd00:ec2::254'],
  ['metadata of Google Cloud', 'fd20:ce::254'],
  ['multicast', 'ff02::1'],
  ['documentation', '2001:db8::1'],
  ['documentation, the newer', '3fff::1'],
  ['discard', '100::1'],
  ['6to4', '2002:7f00:1::1'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['ORCHID', '2001:20::1'],
  ['benchmarking', '2001:2::1'],
  ['segment routing', '5f00::1'],
  ['outside of global unicast', '4000::1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback in hex', '::ffff:7f00:1'],
  ['mapped metadata', '::ffff:169.254.169.254'],
  ['mapped private', '::ffff:10.0.0.1'],
  ['compatible loopback', '::127.0.0.1'],
  ['compatible private', '::a00:1'],
  ['translated loopback', '::ffff:0:127.0.0.1'],
  ['NAT64 loopback', '64:ff9b::127.0.0.1'],
  ['NAT64 metadata', '64:ff9b::a9fe:a9fe'],
  ['NAT64 private', '64:ff9b::192.168.0.1'],
  ['local NAT64', '64:ff9b:1::10.0.0.1'],
  ['local NAT64 of a public address', '64:ff9b:1::8.8.8.8'],
] as const;

test.each(refusedIpv4)('a non-public IPv4 address is refused: %s (%s)', (_, address) => {
  expect(allowed.allows(address)).toBe(false);
});

test.each(refusedSpellings)('an address is refused however a URL spells it: %s (%s)', (_, spelling) => {
  const host = hostOf(spelling);
  expect(isIP(host)).toBe(4);
  expect(allowed.allows(host)).toBe(false);
});

test.each(refusedIpv6)('IPv6 is refused: %s (%s)', (_, address) => {
  expect(allowed.allows(address)).toBe(false);
});

test.each(['localhost', '', 'example.com', '[::1]', '1.2.3.4.5', '999.1.1.1'])('%j is not an address', (text) => {
  expect(allowed.allows(text)).toBe(false);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001:80e::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('%s is public', (address) => {
  expect(allowed.allows(address)).toBe(true);
});

test('an allowed range admits its addresses in every notation, and no other address', () => {
  const allowing = new AllowedAddresses(['10.1.0.0/16', 'fd00:1::/32'], undefined);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', 'fd00:1::5']) {
    expect(allowing.allows(address)).toBe(true);
  }
  for (const address of ['10.2.0.1', '::ffff:10.2.0.1', 'fd00:2::5', '127.0.0.1', '169.254.169.254']) {
    expect(allowing.allows(address)).toBe(false);
  }
});

test.each(['10.0.0.1', '10.0.0.0/33', 'private', ''])('%j is refused as a range', (cidr) => {
  expect(() => new AllowedAddresses([cidr], undefined)).toThrow('is no CIDR range');
});

test.each([
  ['8.8.8.8', 'public.example', true],
  ['2606:4700::1111', 'public.example', true],
  ['10.0.3.7', '10.0.3.7', true],
  ['::ffff:10.0.3.7', '10.0.3.7', true],
  ['fd00::1', '[fd00::1]', true],
  ['fd00:0:0::1', '[fd00::1]', true],
  ['10.0.3.7', 'intranet.example', false],
  ['10.0.3.7', '10.0.3.8', false],
  ['10.0.3.7', '[fd00::1]', false],
  ['fe80::1%eth0', 'intranet.example', false],
  ['gateway', 'gateway', false],
])('that %s was dialled for %s may be told: %s', (address, host, isTold) => {
  expect(canDiscloseAddress(address, host)).toBe(isTold);
});
