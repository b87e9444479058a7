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

/** Beyond this a receiver counts as unreachable (docs/reference/delivery.md, "Attempts"). */
const connectTimeoutMs = 3_000;

/** Where an operator sends the requests to a host: a gateway, a mock. */
export interface EgressTarget {
  /** An address or a name, without brackets. */
  readonly address: string;
  readonly port: number;
}

export type EgressMap = Readonly<Record<string, EgressTarget>>;

type Wanted = Parameters<BuildConnector.connector>[0];
type Callback = Parameters<BuildConnector.connector>[1];

/** What the guard asks of the machine: by default, the machine itself. */
interface Machine {
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
   * is not a CIDR. `map`: targets by host in lower case; a target may have any address. `proxy`: everything else goes
   * through it, from the proxy's machine: this one's addresses are nothing special there.
   */
  constructor(allowedCidrs: readonly string[] = [], map: EgressMap = {}, machine: Machine = {}, proxy?: EgressProxy) {
    this.#map = new Map(Object.entries(map));
    this.#proxy = proxy;
    const own = proxy === undefined ? new OwnAddresses(machine.interfaces) : undefined;
    this.#allowed = new AllowedAddresses(allowedCidrs, own);
    this.#lookups = new Lookups(machine.resolve ?? systemResolve, connectTimeoutMs);
  }

  /**
   * Undici's connector behind the guard. It resolves a name and dials only the addresses that it has checked, so that
   * the resolver cannot give other ones in between; one refused address refuses the name. `ownerOf`: who asks for what
   * is opened now, since owners take turns at looking up names.
   */
  connector(ownerOf?: () => string): Connector {
    // The time limits assume one request at a time on a connection.
    const options = { timeout: connectTimeoutMs, allowH2: false };
    const connect = buildConnector({ ...options, lookup: this.#lookup(ownerOf) }) as Connector;
    const connectMapped = buildConnector(options) as Connector;
    return (wanted, callback) => {
      const literal = wanted.hostname.replace(/^\[|\]$/g, '');
      // A dot at the end means the same host.
      const target = this.#map.get(literal.toLowerCase().replace(/\.$/, ''));
      if (target !== undefined) {
        // TLS checks the name that was asked for: it comes from the request, not from the address.
        return connectMapped({ ...wanted, hostname: target.address, port: String(target.port) }, callback);
      }
      const refusal = isIP(literal) === 0 ? undefined : this.#allowed.refusalOf(literal, [literal]);
      if (refusal !== undefined) {
        callback(refusal, null);
        return undefined;
      }
      if (this.#proxy === undefined) return connect({ ...wanted, hostname: literal }, callback);
      this.#tunnel(this.#proxy, { ...wanted, hostname: literal }, callback, connectMapped);
      return undefined;
    };
  }

  /** The proxy resolves names, so only it can check where they lead: here the text of the name alone is judged. */
  #tunnel(proxy: EgressProxy, wanted: Wanted, callback: Callback, overTls: BuildConnector.connector): void {
    const { hostname, protocol } = wanted;
    const refusal = isLocalName(hostname) ? this.#allowed.refusalOf(hostname, [loopback]) : undefined;
    if (refusal !== undefined) return callback(refusal, null);
    const isTls = protocol === 'https:';
    const port = wanted.port || (isTls ? '443' : '80');
    openTunnel(proxy, { hostname, port }, connectTimeoutMs, (error, socket) => {
      if (error !== null || socket === null) callback(error ?? new ProxyUnreachableError(), null);
      else if (isTls) overTls({ ...wanted, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  }

  #lookup(ownerOf: (() => string) | undefined): LookupFunction {
    return (hostname, options, callback) => {
      const done = this.#answering(hostname, options, callback);
      this.#lookups.ask(hostname, done, ownerOf?.());
    };
  }

  #answering(...[hostname, options, callback]: Parameters<LookupFunction>): Parameters<Lookups['ask']>[1] {
    return (error, addresses) => {
      const refusal = this.#allowed.refusalOf(
        hostname,
        addresses.map(({ address }) => address),
      );
      const first = addresses[0];
      if (error !== null) callback(error, '', 0);
      else if (first === undefined) callback(noAddress(hostname), '', 0);
      else if (refusal !== undefined) callback(refusal, '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
  }
}

const loopback = '127.0.0.1';

/** This machine's own names (RFC 6761). */
const isLocalName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/i.test(hostname);

const noAddress = (hostname: string): Error =>
  Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
