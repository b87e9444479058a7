// Decides which addresses may be dialled: public ones that are not this machine's, and those that the configuration
// allows.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AddressRefusedError } from './address-refused.ts';
import { destinationOf, isPublic, isWithin } from './address.ts';
import type { Range } from './address.ts';
import type { OwnAddresses } from './own-addresses.ts';

export class AllowedAddresses {
  readonly #ranges: readonly Range[];
  readonly #own: Pick<OwnAddresses, 'holds'> | undefined;

  /** Without `own` no address is refused as this machine's. Throws on text that is not a CIDR. */
  constructor(cidrs: readonly string[], own: Pick<OwnAddresses, 'holds'> | undefined) {
    this.#own = own;
    this.#ranges = cidrs.map((cidr) => {
      if (!ipaddr.isValidCIDR(cidr)) throw new Error(`${cidr} is no CIDR range. Write it like 10.0.0.0/8 or fd00::/8.`);
      return ipaddr.parseCIDR(cidr);
    });
  }

  /** False for text that is not an address; an IPv6 address has no brackets. */
  allows(address: string): boolean {
    return this.refusalOf(address, [address]) === undefined;
  }

  /** Returns the error for the first refused address; `host`: the name that resolves to them, or the address itself. */
  refusalOf(host: string, addresses: readonly string[]): AddressRefusedError | undefined {
    for (const address of addresses) {
      const reason = this.#refusalReason(address);
      if (reason !== undefined) return new AddressRefusedError(host, reason);
    }
    return undefined;
  }

  #refusalReason(address: string): AddressRefusedError['reason'] | undefined {
    if (isIP(address) === 0) return 'not-public';
    const parsed = ipaddr.parse(address);
    const destination = destinationOf(parsed);
    const reason = isPublic(parsed) ? 'own' : 'not-public';
    if (reason === 'own' && this.#own?.holds(destination) !== true) return undefined;
    const isAllowed = this.#ranges.some((range) =>
      [parsed, destination].some((candidate) => isWithin(candidate, range)),
    );
    return isAllowed ? undefined : reason;
  }
}
