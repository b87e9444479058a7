// Where this process may connect to: the registries that the operator has chosen, and public addresses of other machines.
// A redirect or a package's own words must not lead it into the operator's network.
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP, Socket } from 'node:net';
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net';
import { AllowedAddresses } from '../../../../egress/addresses/allowed-addresses.ts';
import { OwnAddresses } from '../../../../egress/addresses/own-addresses.ts';

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Resolves a name to addresses that were checked, so that nothing else can be resolved between check and use. */
function checkedLookup(allowed: AllowedAddresses): LookupFunction {
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

/** `net.connect` hands its arguments on as one list. */
const optionsOf = (args: unknown[]): Partial<TcpSocketConnectOpts> & { path?: unknown } =>
  (Array.isArray(args[0]) ? args[0][0] : args[0]) as object;

/** Where they cannot be read, any address may be one of them. */
function ownAddresses(): Pick<OwnAddresses, 'holds'> {
  try {
    return new OwnAddresses();
  } catch {
    return { holds: () => true };
  }
}

/** For the rest of this process's life: every library in it ends up here, whatever it was told. */
export function guardConnections(trusted: readonly string[], egressAllow: readonly string[]): void {
  const known = new Set(trusted);
  const allowed = new AllowedAddresses(egressAllow, ownAddresses());
  const checked = checkedLookup(allowed);
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function (...args): Socket {
    const options = optionsOf(args);
    const host = (options.host ?? '').replace(/^\[|\]$/g, '').toLowerCase();
    if (known.has(`${host}:${options.port}`)) return connect.apply(this, args);
    if (host === '' || typeof options.path === 'string') throw new Error('This process connects to hosts only');
    const refusal = isIP(host) === 0 ? undefined : allowed.refusalOf(host, [host]);
    if (refusal !== undefined) throw refusal;
    options.lookup = checked;
    return connect.apply(this, args);
  };
}
