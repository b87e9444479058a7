// The error for an address that must not be dialled.
import { isIP } from 'node:net';

/**
 * The message omits an address that a name resolves to: anyone who can enter a URL would learn the addresses of the
 * operator's network. It can reveal that an address is this machine's: receivers see it as the sender of requests.
 */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';
  /** `own`: the address is public, but belongs to this machine or its network. */
  readonly reason: 'not-public' | 'own';

  /** `host`: without brackets. */
  constructor(host: string, reason: AddressRefusedError['reason']) {
    super(`${host} ${isIP(host) === 0 ? nameTexts[reason] : literalTexts[reason]}`);
    this.name = 'AddressRefusedError';
    this.reason = reason;
  }
}

const privateAdvice = 'EGRESS_ALLOW lists the private ranges that may be reached.';
const ownAdvice = 'EGRESS_ALLOW lists the ranges of these that may be reached, EGRESS_MAP hosts with one port each.';

const literalTexts = {
  'not-public': `is not a public address. ${privateAdvice}`,
  own: `is an address of this machine or its network. ${ownAdvice}`,
};
const nameTexts = {
  'not-public': `leads to an address that is not public. ${privateAdvice}`,
  own: `leads to an address of this machine or its network. ${ownAdvice}`,
};
