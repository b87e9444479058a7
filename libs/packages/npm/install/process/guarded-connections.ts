// Limits this process's connections to configured registries and to public addresses of other machines, so that a
// redirect or a package's metadata cannot lead it into the operator's network.
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP, Socket } from 'node:net';
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net';
import { AllowedAddresses } from '../../../../egress/addresses/allowed-addresses.ts';
import { OwnAddresses } from '../../../../egress/addresses/own-addresses.ts';

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Resolves a name to checked addresses, so that it cannot resolve to others between check and use. */
function createCheckedLookup(allowed: AllowedAddresses): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { all: true, verbatim: true }, (error, addresses: LookupAddress[] = []) => {
      const refusal = allowed.refusalOf(
        hostname,
        addresses.map(({ address }) => address),
      );
      const first = addresses[0];
      if (error !== null || first === undefined) callback(error ?? new Error(`${hostname} has no address.`), '', 0);
      else if (refusal !== undefined) callback(refusal, '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** `net.connect` passes on its arguments as one list. */
const optionsOf = (args: unknown[]): Partial<TcpSocketConnectOpts> & { path?: unknown } =>
  (Array.isArray(args[0]) ? args[0][0] : args[0]) as object;

/** This machine's addresses; if they cannot be read, every address counts as one. */
function ownAddresses(): Pick<OwnAddresses, 'holds'> {
  try {
    return new OwnAddresses();
  } catch {
    return { holds: () => true };
  }
}

/** Applies to all connections of this process, until its end, whichever library makes them. */
export function guardConnections(trusted: readonly string[], egressAllow: readonly string[]): void {
  const trustedHosts = new Set(trusted);
  const allowed = new AllowedAddresses(egressAllow, ownAddresses());
  const lookupAllowed = createCheckedLookup(allowed);
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function (...args): Socket {
    const options = optionsOf(args);
    const host = (options.host ?? '').replace(/^\[|\]$/g, '').toLowerCase();
    if (trustedHosts.has(`${host}:${options.port}`)) return connect.apply(this, args);
    if (host === '' || typeof options.path === 'string') throw new Error('This process connects to hosts only');
    const refusal = isIP(host) === 0 ? undefined : allowed.refusalOf(host, [host]);
    if (refusal !== undefined) throw refusal;
    options.lookup = lookupAllowed;
    return connect.apply(this, args);
  };
}
