import ipaddr from 'ipaddr.js';
import { AllowedAddresses } from './allowed-addresses.ts';
import { OwnAddresses, ownAddressesProblem } from './own-addresses.ts';

/** The interfaces of a machine by the CIDRs of their addresses. */
const having =
  (...cidrs: readonly string[]) =>
  () => ({ eth0: cidrs.map((cidr) => ({ address: cidr.split('/')[0] ?? '', cidr })) });

const allowing = (cidrs: readonly string[], allowed: readonly string[] = []): AllowedAddresses =>
  new AllowedAddresses(allowed, new OwnAddresses(having(...cidrs)));

test.each([
  ['its IPv4 address', '93.184.215.14'],
  ['the same, mapped', '::ffff:93.184.215.14'],
  ['the same by NAT64', '64:ff9b::5db8:d70e'],
  ['its IPv6 address', '2a00:1450:4001:80e::200e'],
  ['a neighbour by IPv6', '2a00:1450:4001:80e:1:2:3:4'],
])('a public address that is of this machine or its network is refused: %s', (_, address) => {
  const allowed = allowing(['93.184.215.14/24', '2a00:1450:4001:80e::200e/64']);
  expect(allowed.allows(address)).toBe(false);
  expect(allowed.refusalOf(address, [address])?.message).toBe(
    `${address} is an address of this machine or its network. ` +
      'EGRESS_ALLOW lists the ranges of these that may be reached, EGRESS_MAP hosts with one port each.',
  );
  expect(allowed.refusalOf('self.example', ['8.8.8.8', address])).toMatchObject({
    code: 'ADDRESS_REFUSED',
    reason: 'own',
    message: expect.stringMatching(/^self\.example leads to an address of this machine or its network\. EGRESS_ALLOW/),
  });
});

test.each([
  ['in its IPv4 network', '93.184.215.15'],
  ['in the next IPv6 network', '2a00:1450:4001:80f::1'],
  ['elsewhere', '8.8.8.8'],
])('a public address %s is allowed', (_, address) => {
  expect(allowing(['93.184.215.14/24', '2a00:1450:4001:80e::200e/64']).allows(address)).toBe(true);
});

test('EGRESS_ALLOW opens what it names of this machine, and nothing else', () => {
  const allowed = allowing(
    ['93.184.215.14/24', '2a00:1450:4001:80e::1/64'],
    ['93.184.215.14/32', '2a00:1450:4001:80e::9/128'],
  );
  expect(allowed.allows('93.184.215.14')).toBe(true);
  expect(allowed.allows('2a00:1450:4001:80e::9')).toBe(true);
  expect(allowed.allows('2a00:1450:4001:80e::1')).toBe(false);
});

test.each([
  ['2a00:1450:4001:80e::1/128', '2a00:1450:4001:80e::2', true],
  ['2a00:1450:4001:80e::1/124', '2a00:1450:4001:80e::2', false],
  ['2a00:1450:4001:80e::1/124', '2a00:1450:4001:80e::12', true],
  ['2a00:1450:4001::1/48', '2a00:1450:4001:80e::2', false],
  ['2a00:1450:4001::1/47', '2a00:1450:4001:80e::2', true],
  ['2a00:1450:4001::1/0', '2606:4700::1111', true],
])('an interface with %s leaves %s allowed: %s', (cidr, address, isAllowed) => {
  const allowed = allowing([cidr]);
  expect(allowed.allows(address)).toBe(isAllowed);
  expect(allowed.allows(cidr.split('/')[0] ?? '')).toBe(false);
});

test('an address without a CIDR is refused alone, and private ones change nothing', () => {
  const interfaces = () => ({
    none: undefined,
    eth0: [{ address: '2a00:1450:4001:80e::1', cidr: null }],
    lo: [{ address: '127.0.0.1', cidr: '127.0.0.1/8' }],
    eth1: [{ address: 'fe80::1', cidr: 'fe80::1/64' }],
  });
  const allowed = new AllowedAddresses(['127.0.0.0/8'], new OwnAddresses(interfaces));
  expect(allowed.allows('2a00:1450:4001:80e::1')).toBe(false);
  expect(allowed.allows('2a00:1450:4001:80e::2')).toBe(true);
  expect(allowed.allows('127.0.0.1')).toBe(true);
  expect(allowed.refusalOf('fe80::2', ['fe80::2'])?.reason).toBe('not-public');
});

test('interfaces are read again after 30 s and not before; while that fails, what was read stands', () => {
  let now = 1_000;
  let reads = 0;
  let interfaces = having('93.184.215.14/24');
  const own = new OwnAddresses(
    () => {
      reads++;
      return interfaces();
    },
    () => now,
  );
  const holds = (address: string): boolean => own.holds(ipaddr.parse(address));
  interfaces = having('93.184.215.99/24');
  now += 29_999;
  expect([holds('93.184.215.14'), holds('93.184.215.99'), reads]).toEqual([true, false, 1]);
  now += 1;
  expect([holds('93.184.215.14'), holds('93.184.215.99'), reads]).toEqual([false, true, 2]);
  interfaces = () => {
    throw new Error('EMFILE');
  };
  now += 30_000;
  expect([holds('93.184.215.99'), holds('93.184.215.99'), reads]).toEqual([true, true, 3]);
});

test('where the addresses of the machine cannot be read, the start says what to do', () => {
  const failing = (): never => {
    throw new Error('uv_interface_addresses returned Unknown system error 97');
  };
  expect(() => new OwnAddresses(failing)).toThrow(/error 97.*AF_NETLINK.*EGRESS_PROXY/);
  expect(ownAddressesProblem(failing)).toMatch(/error 97.*AF_NETLINK.*EGRESS_PROXY/);
  expect(ownAddressesProblem(having('93.184.215.14/24'))).toBeUndefined();
});
