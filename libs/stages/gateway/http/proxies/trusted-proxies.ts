// Finds the address that sent a request: if trusted proxies are in front of the service, the client that they name.
import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** The parts of a request that are read. */
export type ForwardedRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

export class TrustedProxies {
  readonly #proxies = new BlockList();
  readonly #trustsNone: boolean;

  /** `ranges`: the proxies whose `X-Forwarded-For` is trusted, as CIDRs. */
  constructor(ranges: readonly string[] = []) {
    this.#trustsNone = ranges.length === 0;
    for (const range of ranges) {
      const [address = '', bits] = range.split('/');
      this.#proxies.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /**
   * Each proxy appends the address that called it. The last one that is not a trusted proxy's is the client's: it
   * might have made up those before it. '' once the connection is gone.
   */
  clientOf({ headers, socket }: ForwardedRequest): string {
    let client = withoutMappedPrefix(socket.remoteAddress ?? '');
    if (this.#trustsNone) return client;
    const field = headers['x-forwarded-for'];
    const addresses = (Array.isArray(field) ? field.join() : (field ?? '')).split(',');
    while (addresses.length > 0 && this.#isProxy(client)) {
      const address = withoutMappedPrefix(withoutPort(addresses.pop()?.trim() ?? ''));
      if (isIP(address) === 0) break;
      client = address;
    }
    return client;
  }

  #isProxy(address: string): boolean {
    return isIP(address) !== 0 && this.#proxies.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** A service that listens on IPv6 sees clients of IPv4 as `::ffff:192.0.2.1`. */
const withoutMappedPrefix = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? [];
  return inBrackets ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}
