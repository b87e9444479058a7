// Finds this machine's public addresses and IPv6 networks: requests from here would bypass the firewalls in front of
// them.
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { isPublic, isWithin } from './address.ts';
import type { Address, Range } from './address.ts';

/** As `os.networkInterfaces`. */
export type Interfaces = () => Readonly<
  Record<string, readonly { readonly address: string; readonly cidr: string | null }[] | undefined>
>;

/** How long the addresses stay valid: reading takes longer with more interfaces, and addresses seldom change. */
const refreshMs = 30_000;

/**
 * A site has a /48 at most (RFC 6177), so a shorter prefix, such as ::/0 of a tunnel, does not mean a local network: to
 * refuse it would refuse other people's addresses.
 */
const onLinkBitsMin = 48;

export class OwnAddresses {
  readonly #interfaces: Interfaces;
  readonly #nowMs: () => number;
  #ranges: readonly Range[];
  #readAtMs: number;

  /** Throws an Error that says what to do if the addresses of the machine cannot be read. */
  constructor(interfaces: Interfaces = networkInterfaces, nowMs: () => number = () => performance.now()) {
    this.#interfaces = interfaces;
    this.#nowMs = nowMs;
    this.#readAtMs = nowMs();
    this.#ranges = readRanges(interfaces);
  }

  /** Whether it is a public address of an interface of this machine, or is in the IPv6 network of one. */
  holds(address: Address): boolean {
    if (this.#nowMs() - this.#readAtMs >= refreshMs) this.#refresh();
    return this.#ranges.some((range) => isWithin(address, range));
  }

  /** Keeps the previous addresses while reading fails. */
  #refresh(): void {
    this.#readAtMs = this.#nowMs();
    try {
      this.#ranges = rangesOf(this.#interfaces());
    } catch {
      // The previous addresses stay valid for another 30 s.
    }
  }
}

/**
 * Why no guard can be created, and what to do; otherwise undefined. For a process that creates its guards elsewhere,
 * later.
 */
export function ownAddressesProblem(interfaces: Interfaces = networkInterfaces): string | undefined {
  try {
    readRanges(interfaces);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function readRanges(interfaces: Interfaces): readonly Range[] {
  try {
    return rangesOf(interfaces());
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The addresses of this machine cannot be read (${detail}), so requests to them could not be refused. ` +
        'Let the process open netlink sockets (systemd: RestrictAddressFamilies with AF_NETLINK), or set EGRESS_PROXY.',
      { cause: error },
    );
  }
}

/** Only public addresses: the others are refused anyway. */
const rangesOf = (interfaces: ReturnType<Interfaces>): readonly Range[] =>
  Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .map(({ address, cidr }): Range => {
      const own = ipaddr.parse(address);
      return [own, onLinkBits(own, cidr)];
    })
    .filter(([address]) => isPublic(address));

/** For IPv4 only the address itself: the others of a public IPv4 network usually belong to other customers. */
function onLinkBits(own: Address, cidr: string | null): number {
  if (own.kind() === 'ipv4') return 32;
  const bits = Number(cidr?.split('/')[1]);
  return bits >= onLinkBitsMin ? bits : 128;
}
