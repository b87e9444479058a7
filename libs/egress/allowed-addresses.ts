// Which addresses may be dialled: public ones, and those in the ranges that the configuration allows.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { destinationOf, isPublic } from './address.ts';

/**
 * The address is not public, and no allowed range holds it. Where a name leads to is not told: whoever may give a URL
 * would learn the addresses of the operator's network.
 */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';

  /** Without brackets. */
  constructor(host: string) {
    const what =
      isIP(host) === 0 ? `${host} leads to an address that is not public` : `${host} is not a public address`;
    super(`${what}. EGRESS_ALLOW lists the private ranges that may be reached.`);
    this.name = 'AddressRefusedError';
  }
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

export class AllowedAddresses {
  readonly #ranges: readonly Range[];

  /** Throws on text that is not a CIDR. */
  constructor(cidrs: readonly string[]) {
    this.#ranges = cidrs.map((cidr) => {
      if (!ipaddr.isValidCIDR(cidr)) throw new Error(`${cidr} is no CIDR range. Write it like 10.0.0.0/8 or fd00::/8.`);
      return ipaddr.parseCIDR(cidr);
    });
  }

  /** False for text that is not an address; an IPv6 address has no brackets. */
  allows(address: string): boolean {
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.parse(address);
    if (isPublic(parsed)) return true;
    const destination = destinationOf(parsed);
    return this.#ranges.some((range) => [parsed, destination].some((one) => isWithin(one, range)));
  }
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}
