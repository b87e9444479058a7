// Maps the error codes of Node, OpenSSL and undici to the failures of the webhook port.
import { connectFailureOf, isUpgraded } from '../../egress/index.ts';
import type { WebhookFailure } from '../webhook.ts';

const failureByCode: Readonly<Record<string, WebhookFailure>> = {
  ADDRESS_REFUSED: 'address_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  LOOKUP_TIMEOUT: 'connect_timeout',
  HANDSHAKE_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  ECONNREFUSED: 'connect',
  PROXY_REFUSED: 'connect',
  PROXY_UNREACHABLE: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ENOTFOUND: 'dns',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UND_ERR_SOCKET: 'closed',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
};

const failureByPrefix: readonly (readonly [string, WebhookFailure])[] = [
  ['EAI_', 'dns'],
  ['CERT_', 'tls'],
  ['UNABLE_TO_', 'tls'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
];

/** Replaces the text of undici's assertions about responses, such as a status from 100 on, which users cannot read. */
const notHttp = 'The answer does not match the HTTP/1.1 protocol';

/** `connected`: the request had a connection, so a reset is the receiver closing it. */
export function failureOf(error: Error, connected: boolean): { failure: WebhookFailure; cause: string } {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const found =
    (isUpgraded(error) ? 'protocol' : failureByCode[code]) ??
    failureByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ??
    'protocol';
  const failure = found === 'closed' && !connected ? 'connect' : found;
  return { failure, cause: causeOf(error, code) };
}

function causeOf(error: Error, code: string): string {
  const known = connectFailureOf(error);
  if (known !== undefined) return known.text.includes(known.code) ? known.text : `${known.text} (${known.code})`;
  if (code === 'ERR_ASSERTION') return notHttp;
  return error.message === '' ? code : error.message;
}
