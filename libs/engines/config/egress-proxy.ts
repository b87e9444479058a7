// Parses EGRESS_PROXY: the HTTP proxy for outgoing requests and deliveries.
import type { EgressProxy } from '../../egress/index.ts';
import { parsePort } from './parse.ts';

const httpPort = '80';

/** `http://[user:password@]host[:port]`. Throws an Error that says what to enter, and never shows the text. */
export function parseEgressProxy(text: string): EgressProxy {
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'http:' && url.pathname === '/' && url.search === '' && url.hash === '';
  if (url === null || !isPlain || /[\s?#]/.test(text)) {
    throw new Error(
      'give an http URL of host and port, such as http://proxy.example.com:3128, or http://user:password@...',
    );
  }
  const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: parsePort(url.port || httpPort) };
  if (url.username === '' && url.password === '') return address;
  const credentials = `${decodeCredential(url.username)}:${decodeCredential(url.password)}`;
  return { ...address, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function decodeCredential(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('its user or password has a % that encodes nothing; write it as %25');
  }
}

/** Returns a readable text without the credentials. */
export function describeProxy(proxy: EgressProxy | undefined): string {
  if (proxy === undefined) return '(none)';
  const host = proxy.host.includes(':') ? `[${proxy.host}]` : proxy.host;
  return `http://${host}:${proxy.port}${proxy.authorization === undefined ? '' : ' (with credentials)'}`;
}
