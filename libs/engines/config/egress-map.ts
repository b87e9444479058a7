// Parses EGRESS_MAP: hosts, each with the address and port to which its requests are sent.
import type { EgressMap } from '../../egress/index.ts';
import { parseHost, parsePort } from './parse.ts';

/** `host=address:port`, separated by commas; an IPv6 address in brackets. Throws an Error that says what to enter. */
export function parseEgressMap(text: string): EgressMap {
  const pairs = text.split(',').map((item) => {
    const [, host, bracketed, plain, port] = /^\s*([^=\s]+)=(?:\[([^\]]+)\]|([^:\]]+)):(\d+)\s*$/.exec(item) ?? [];
    const address = bracketed ?? plain;
    if (host === undefined || address === undefined || port === undefined) {
      throw new Error(`${JSON.stringify(item.trim())} is not host=address:port; give such pairs, separated by commas`);
    }
    return [parseHost(host).toLowerCase(), { address: parseHost(address), port: parsePort(port) }] as const;
  });
  const map = Object.fromEntries(pairs);
  if (Object.keys(map).length < pairs.length) throw new Error('a host occurs twice; give each once');
  return map;
}
