// Decides which addresses are public: none that leads to a private network or a cloud's metadata service.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address, and how many of its first bits make up the range's prefix. */
export type Range = [Address, number];

export function isWithin(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

/** IPv6 ranges that are routed to the IPv4 address in their last 32 bits: that address is checked. */
const ipv4EmbeddingRanges: readonly (readonly [ipaddr.IPv6, number])[] = [
  '::ffff:0:0/96', // mapped
  '::/96', // compatible (RFC 4291, deprecated)
  '::ffff:0:0:0/96', // translated (RFC 7915)
  '64:ff9b::/96', // NAT64 (RFC 6052)
].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));

/** Only 2000::/3 is global unicast (RFC 4291); ipaddr.js knows the reserved ranges within it by name. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Metadata services on addresses in public ranges. */
const metadata: readonly string[] = [
  '168.63.129.16', // Azure's wire server
];

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!ipv4EmbeddingRanges.some((range) => address.match(range[0], range[1]))) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** Returns the address at which a packet to `address` arrives. */
export function destinationOf(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const ipv6 = address as ipaddr.IPv6;
  // :: and ::1 embed no IPv4 address, although they are in the compatible range.
  if (ipv6.range() === 'unspecified' || ipv6.range() === 'loopback') return ipv6;
  return embeddedIpv4(ipv6) ?? ipv6;
}

export function isPublic(address: Address): boolean {
  const destination = destinationOf(address);
  if (destination.kind() === 'ipv6') {
    const ipv6 = destination as ipaddr.IPv6;
    return ipv6.range() === 'unicast' && ipv6.match(globalUnicast[0], globalUnicast[1]);
  }
  const ipv4 = destination as ipaddr.IPv4;
  return ipv4.range() === 'unicast' && !metadata.includes(ipv4.toString());
}

/** Whether a caller that asked for `host`, as written in a URL, may learn that `address` was dialled for it. */
export function canDiscloseAddress(address: string, host: string): boolean {
  if (isIP(address) === 0) return false;
  const dialled = ipaddr.parse(address);
  const hostname = host.replace(/^\[|\]$/g, '');
  if (isPublic(dialled)) return true;
  return isIP(hostname) !== 0 && destinationOf(ipaddr.parse(hostname)).toString() === destinationOf(dialled).toString();
}
