// The address guard: refuses addresses that are not public or are this machine's, unless the configuration allows them.
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { buildConnector as BuildConnector } from 'undici';
import type { Connector } from './connection.ts';
import { AllowedAddresses } from './addresses/allowed-addresses.ts';
import { OwnAddresses } from './addresses/own-addresses.ts';
import type { Interfaces } from './addresses/own-addresses.ts';
import { Lookups, systemResolve } from './names/lookups.ts';
import type { Resolve } from './names/lookups.ts';
import { openTunnel, ProxyUnreachableError } from './tunnel.ts';
import type { EgressProxy } from './tunnel.ts';
import { buildConnector } from './undici.ts';

/** After this time a receiver counts as unreachable (docs/reference/delivery.md, "Attempts"). */
const connectTimeoutMs = 3_000;

/** The server to which an operator redirects the requests to a host: a gateway, a mock. */
export interface EgressTarget {
  /** An address or a name, without brackets. */
  readonly address: string;
  readonly port: number;
}

export type EgressMap = Readonly<Record<string, EgressTarget>>;

type ConnectOptions = Parameters<BuildConnector.connector>[0];
type Callback = Parameters<BuildConnector.connector>[1];

/** How the guard resolves names and reads addresses: by default with the machine's own functions. */
interface SystemFunctions {
  readonly resolve?: Resolve;
  readonly interfaces?: Interfaces;
}

export class EgressGuard {
  readonly #allowed: AllowedAddresses;
  readonly #lookups: Lookups;
  readonly #map: ReadonlyMap<string, EgressTarget>;
  readonly #proxy: EgressProxy | undefined;

  /**
   * `allowedCidrs`: ranges that may be reached although they are not public, or are this machine's. Throws on text that
   * is not a CIDR. `map`: targets by host in lower case; a target can have any address. `proxy`: everything else goes
   * through it, from the proxy's machine, so this machine's addresses are not treated specially.
   */
  constructor(
    allowedCidrs: readonly string[] = [],
    map: EgressMap = {},
    machine: SystemFunctions = {},
    proxy?: EgressProxy,
  ) {
    this.#map = new Map(Object.entries(map));
    this.#proxy = proxy;
    const own = proxy === undefined ? new OwnAddresses(machine.interfaces) : undefined;
    this.#allowed = new AllowedAddresses(allowedCidrs, own);
    this.#lookups = new Lookups(machine.resolve ?? systemResolve, connectTimeoutMs);
  }

  /**
   * Returns a guarded connector for undici. It resolves a name and dials only the addresses that it has checked, so
   * that the resolver cannot return other ones in between; one refused address refuses the name. `ownerOf`: the owner
   * of the connection that is opened now, since owners take turns at looking up names.
   */
  connector(ownerOf?: () => string): Connector {
    // The time limits assume one request at a time on a connection.
    const options = { timeout: connectTimeoutMs, allowH2: false };
    const connect = buildConnector({ ...options, lookup: this.#lookup(ownerOf) }) as Connector;
    const connectMapped = buildConnector(options) as Connector;
    return (destination, callback) => {
      const literal = destination.hostname.replace(/^\[|\]$/g, '');
      // A name with a dot at the end means the same host.
      const target = this.#map.get(literal.toLowerCase().replace(/\.$/, ''));
      if (target !== undefined) {
        // TLS still checks the original name, which is taken from the request, not from the address.
        return connectMapped({ ...destination, hostname: target.address, port: String(target.port) }, callback);
      }
      const refusal = isIP(literal) === 0 ? undefined : this.#allowed.refusalOf(literal, [literal]);
      if (refusal !== undefined) {
        callback(refusal, null);
        return undefined;
      }
      if (this.#proxy === undefined) return connect({ ...destination, hostname: literal }, callback);
      this.#tunnel(this.#proxy, { ...destination, hostname: literal }, callback, connectMapped);
      return undefined;
    };
  }

  /**
   * Connects through the proxy. It resolves names, so only it can check their addresses: here only the name is checked.
   */
  #tunnel(
    proxy: EgressProxy,
    destination: ConnectOptions,
    callback: Callback,
    connectTls: BuildConnector.connector,
  ): void {
    const { hostname, protocol } = destination;
    const refusal = isLocalName(hostname) ? this.#allowed.refusalOf(hostname, [loopback]) : undefined;
    if (refusal !== undefined) return callback(refusal, null);
    const isTls = protocol === 'https:';
    const port = destination.port || (isTls ? '443' : '80');
    openTunnel(proxy, { hostname, port }, connectTimeoutMs, (error, socket) => {
      if (error !== null || socket === null) callback(error ?? new ProxyUnreachableError(), null);
      else if (isTls) connectTls({ ...destination, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  }

  #lookup(ownerOf: (() => string) | undefined): LookupFunction {
    return (hostname, options, callback) => {
      const onAnswer = this.#lookupCallback(hostname, options, callback);
      this.#lookups.ask(hostname, onAnswer, ownerOf?.());
    };
  }

  #lookupCallback(...[hostname, options, callback]: Parameters<LookupFunction>): Parameters<Lookups['ask']>[1] {
    return (error, addresses) => {
      const refusal = this.#allowed.refusalOf(
        hostname,
        addresses.map(({ address }) => address),
      );
      const first = addresses[0];
      if (error !== null) callback(error, '', 0);
      else if (first === undefined) callback(noAddressError(hostname), '', 0);
      else if (refusal !== undefined) callback(refusal, '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
  }
}

const loopback = '127.0.0.1';

/** This machine's own names (RFC 6761). */
const isLocalName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/i.test(hostname);

const noAddressError = (hostname: string): Error =>
  Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
