// Where this process may connect to: the registries that the operator has chosen, and public addresses. A redirect or a
// package's own words must not lead it into the operator's network.
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP, Socket } from 'node:net';
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net';
import { AddressRefusedError, AllowedAddresses } from '../../../../egress/allowed-addresses.ts';

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Resolves a name to addresses that were checked, so that nothing else can be resolved between check and use. */
function checkedLookup(allowed: AllowedAddresses): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { all: true, verbatim: true }, (error, addresses: LookupAddress[] = []) => {
      const refused = addresses.find(({ address }) => !allowed.allows(address));
      const first = addresses[0];
      if (error !== null || first === undefined) callback(error ?? new Error(`${hostname} has no address.`), '', 0);
      else if (refused !== undefined) callback(new AddressRefusedError(hostname), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** `net.connect` hands its arguments on as one list. */
const optionsOf = (args: unknown[]): Partial<TcpSocketConnectOpts> & { path?: unknown } =>
  (Array.isArray(args[0]) ? args[0][0] : args[0]) as object;

/** For the rest of this process's life: every library in it ends up here, whatever it was told. */
export function guardConnections(trusted: readonly string[], egressAllow: readonly string[]): void {
  const known = new Set(trusted);
  const allowed = new AllowedAddresses(egressAllow);
  const checked = checkedLookup(allowed);
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function (...args): Socket {
    const options = optionsOf(args);
    const host = (options.host ?? '').replace(/^\[|\]$/g, '').toLowerCase();
    if (known.has(`${host}:${options.port}`)) return connect.apply(this, args);
    if (host === '' || typeof options.path === 'string') throw new Error('This process connects to hosts only');
    if (isIP(host) !== 0 && !allowed.allows(host)) throw new AddressRefusedError(host);
    options.lookup = checked;
    return connect.apply(this, args);
  };
}
