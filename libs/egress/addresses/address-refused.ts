// The refusal to dial an address.
import { isIP } from 'node:net';

/**
 * Which address it was is not told where a name leads to it: whoever may give a URL would learn the addresses of the
 * operator's network. Nothing is lost by telling that one is this machine's: receivers see from where they are called.
 */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';
  /** `own`: it is public, but this machine's or its network's. */
  readonly reason: 'not-public' | 'own';

  /** `host`: without brackets. */
  constructor(host: string, reason: AddressRefusedError['reason']) {
    super(`${host} ${isIP(host) === 0 ? leading[reason] : being[reason]}`);
    this.name = 'AddressRefusedError';
    this.reason = reason;
  }
}

const privateAllowed = 'EGRESS_ALLOW lists the private ranges that may be reached.';
const ownAllowed = 'EGRESS_ALLOW lists the ranges of these that may be reached, EGRESS_MAP hosts with one port each.';

const being = {
  'not-public': `is not a public address. ${privateAllowed}`,
  own: `is an address of this machine or its network. ${ownAllowed}`,
};
const leading = {
  'not-public': `leads to an address that is not public. ${privateAllowed}`,
  own: `leads to an address of this machine or its network. ${ownAllowed}`,
};
