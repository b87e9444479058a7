// Operations that would take too long are refused before they begin; those that real components use are allowed.
import { generateKeyPairSync } from 'node:crypto';
import { runOperation } from './operations.ts';

const bytes = (count: number): ArrayBuffer => new ArrayBuffer(count);

test.each<[string, unknown[]]>([
  ['pbkdf2 as OWASP asks for it', ['pbkdf2', bytes(12), bytes(16), 600_000, 32, 'sha256']],
  ['scrypt by default', ['scrypt', bytes(12), bytes(16), 64, '{}']],
  ['a hash of 20 MB', ['hash', 'sha256', bytes(20_000_000)]],
  [
    'a cipher of 20 MB',
    ['cipher', 'encrypt', 'aes-256-ctr', bytes(32), bytes(16), bytes(20_000_000), null, null, '{}'],
  ],
])('%s is carried out', (_name, [name, ...args]) => {
  expect(runOperation(name, ...args)[0]).toBeNull();
});

test.each<[string, unknown[]]>([
  ['a salt of 50 MB', ['pbkdf2', bytes(12), bytes(50_000_000), 1, 1024, 'sha256']],
  ['a salt of 2 MB', ['pbkdf2', bytes(12), bytes(2_000_000), 1, 1024, 'sha256']],
  ['sha3 with 2 million rounds', ['pbkdf2', bytes(12), bytes(16), 2_000_000, 32, 'sha3-512']],
  ['2 million rounds for each of many blocks', ['pbkdf2', bytes(12), bytes(16), 2_000_000, 1024, 'sha1']],
  ['rounds that are no number', ['pbkdf2', bytes(12), bytes(16), 'many', 32, 'sha256']],
  ['scrypt of a gigabyte', ['scrypt', bytes(12), bytes(16), 64, '{"N":1048576,"r":8}']],
  ['scrypt with a negative cost', ['scrypt', bytes(12), bytes(16), 64, '{"N":-1048576,"r":-8}']],
  ['a password of 2 MB', ['scrypt', bytes(2_000_000), bytes(16), 64, '{}']],
  ['hkdf with 2 MB of info', ['hkdf', 'sha256', bytes(32), bytes(16), bytes(2_000_000), 64]],
  ['a hash of 40 MB', ['hash', 'sha256', bytes(40_000_000)]],
  ['DES of 5 MB', ['cipher', 'encrypt', 'des-ede3-cbc', bytes(24), bytes(8), bytes(5_000_000), null, null, '{}']],
  ['a key of 20,000 characters', ['key', 'public', JSON.stringify({ key: 'x'.repeat(20_000) })]],
])('%s is refused', (_name, [name, ...args]) => {
  expect(runOperation(name, ...args)).toEqual([
    expect.stringMatching(/must be from 0 to/),
    undefined,
    'ERR_OUT_OF_RANGE',
    'RangeError',
  ]);
});

test('a key of more bits than a component may work with is refused, also for signing', () => {
  // 2^16000 + 1 is no valid modulus, but its factors are not checked.
  const n = Buffer.alloc(2_001, 0);
  n[0] = 1;
  n[2_000] = 1;
  const key = JSON.stringify({ key: { kty: 'RSA', n: n.toString('base64url'), e: 'AQAB' }, format: 'jwk' });
  expect(runOperation('key', 'public', key)).toMatchObject([
    expect.stringMatching(/bits of the key/),
    undefined,
    'ERR_OUT_OF_RANGE',
    'RangeError',
  ]);
  const verified = runOperation('verify', 'sha256', bytes(8), key, bytes(2_001));
  expect(verified[0]).toMatch(/bits of the key/);
});

test('signing and verifying accept keys in any form', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' }).toString();
  const [none, signature] = runOperation('sign', 'sha256', bytes(8), JSON.stringify({ key: pem, passphrase: 'word' }));
  expect(none).toBeNull();
  const jwk = JSON.stringify({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' });
  expect(runOperation('verify', 'sha256', bytes(8), jwk, signature)).toEqual([null, true]);
});

test('an unknown operation is answered with an error, never thrown', () => {
  expect(runOperation('constructor')).toEqual(['This operation is not known']);
  expect(runOperation('hash', 'no such hash', bytes(1))[0]).toMatch(/Digest method|Invalid digest|unsupported/i);
});
