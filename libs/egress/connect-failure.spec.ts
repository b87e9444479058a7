import { connectFailureOf } from './connect-failure.ts';

const failing = (code: string, more: object = { syscall: 'connect' }): Error =>
  Object.assign(new Error(`connect ${code} 10.0.3.7:9000`), { code, ...more });

test.each([
  ['ECONNREFUSED', 'ECONNREFUSED', 'refuses connections'],
  ['EHOSTUNREACH', 'EHOSTUNREACH', 'cannot be reached: host unreachable'],
  ['ENETUNREACH', 'ENETUNREACH', 'cannot be reached: network unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'does not take connections in time'],
  ['ECONNRESET', 'ECONNRESET', 'reset the connection'],
  ['UND_ERR_SOCKET', 'ECONNRESET', 'closed the connection'],
  ['ENOTFOUND', 'ENOTFOUND', 'is a name that does not resolve'],
  ['EAI_AGAIN', 'EAI_AGAIN', 'could not be resolved; try again'],
  ['EPERM', 'EPERM', 'could not be asked'],
  ['CERT_HAS_EXPIRED', 'CERT_HAS_EXPIRED', 'has no certificate that can be trusted (CERT_HAS_EXPIRED)'],
  ['EPROTO', 'EPROTO', 'fails at TLS (EPROTO)'],
])('%s has the code %s and says that the host %s', (code, shown, text) => {
  expect(connectFailureOf(failing(code))).toEqual({ code: shown, text });
});

test('a certificate for other names is told without these, and a failed handshake with what OpenSSL says', () => {
  const others = { reason: "Host: a.example. is not in the cert's altnames: IP Address:10.0.3.7" };
  expect(connectFailureOf(failing('ERR_TLS_CERT_ALTNAME_INVALID', others))?.text).not.toContain('10.0.3.7');
  expect(connectFailureOf(failing('ERR_SSL_WRONG_VERSION_NUMBER', { reason: 'wrong version number' }))?.text).toBe(
    'fails at TLS (ERR_SSL_WRONG_VERSION_NUMBER, wrong version number)',
  );
});

test('of several addresses the first counts, and what is none of the network is left to others', () => {
  expect(connectFailureOf(new AggregateError([failing('ECONNREFUSED'), failing('EHOSTUNREACH')]))?.code).toBe(
    'ECONNREFUSED',
  );
  for (const error of [failing('HPE_INVALID_CONSTANT', {}), new Error('no'), undefined])
    expect(connectFailureOf(error)).toBeUndefined();
});
