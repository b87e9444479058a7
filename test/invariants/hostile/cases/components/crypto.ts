// Components that start work in the host: it counts towards their own limits, and nobody else waits for it.
import type { ComponentAttack, ExpectedRun } from '../attack.ts';
import { component, runAttack } from '../attack.ts';

const required = "const crypto = require('crypto');";

/** Refused before it begins, or ended by a limit: the run reports which. */
const ended: ExpectedRun = { run: 'failed' };

const cryptoAttack = (name: string, run: string, said: ExpectedRun = ended): ComponentAttack =>
  runAttack(`crypto: ${name}`, { before: required, run }, said);

/** One element of DER: lengths of up to 65,535 bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const octets = (bytes: Buffer): Buffer => der(0x04, bytes);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** An encrypted PKCS #8 key (RFC 8018) that cannot be read before its password is derived in so many rounds. */
function encryptedKey(iterations: number): string {
  const count = Buffer.alloc(5);
  count.writeUInt32BE(iterations, 1);
  const hmac = sequence(oid('2a864886f70d0209'), der(0x05));
  const derivation = sequence(oid('2a864886f70d01050c'), sequence(octets(Buffer.alloc(8, 1)), der(0x02, count), hmac));
  const cipher = sequence(oid('60864801650304012a'), octets(Buffer.alloc(16, 2)));
  const scheme = sequence(oid('2a864886f70d01050d'), sequence(derivation, cipher));
  const text = sequence(scheme, octets(Buffer.alloc(64, 3))).toString('base64');
  const lines = text.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${lines.join('\n')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}

const pem = JSON.stringify(encryptedKey(2 ** 31 - 1));

const derivations: readonly ComponentAttack[] = [
  cryptoAttack('pbkdf2Sync with a salt of 50 MB', "crypto.pbkdf2Sync('p', Buffer.alloc(50e6), 1, 1024, 'sha512');"),
  cryptoAttack(
    'pbkdf2Sync with a password of 50 MB',
    "crypto.pbkdf2Sync(Buffer.alloc(50e6), 's', 1, 1024, 'sha512');",
    {},
  ),
  cryptoAttack('pbkdf2Sync with 2 million rounds of sha3', "crypto.pbkdf2Sync('p', 's', 2_000_000, 32, 'sha3-512');"),
  cryptoAttack('pbkdf2Sync with 2^31 rounds', "crypto.pbkdf2Sync('p', 's', 2 ** 31 - 1, 64, 'sha512');"),
  cryptoAttack(
    'pbkdf2Sync with 200,000 rounds again and again',
    "for (;;) crypto.pbkdf2Sync('p', 's', 200_000, 32, 'sha256');",
  ),
  cryptoAttack(
    'pbkdf2 a thousand times at once',
    "await Promise.all(Array.from({ length: 1_000 }, () => new Promise((done) => crypto.pbkdf2('p', 's', 200_000, 32, 'sha256', done))));",
  ),
  cryptoAttack(
    'scryptSync at its highest cost again and again',
    "for (;;) crypto.scryptSync('p', 's', 64, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 40 });",
  ),
  cryptoAttack(
    'scryptSync with costs that are no numbers',
    "crypto.scryptSync('p', 's', 64, { N: '16384', r: {}, p: [] });",
  ),
  cryptoAttack(
    'hkdfSync with an info of 50 MB',
    "for (;;) crypto.hkdfSync('sha512', 'k', 's', Buffer.alloc(50e6), 1024);",
  ),
];

const keys: readonly ComponentAttack[] = [
  cryptoAttack('an encrypted PEM with 2^31 rounds', `crypto.createPrivateKey({ key: ${pem}, passphrase: 'p' });`),
  cryptoAttack(
    'signing with an encrypted PEM with 2^31 rounds',
    `crypto.sign('sha256', Buffer.from('x'), { key: ${pem}, passphrase: 'p' });`,
  ),
  cryptoAttack(
    'verifying with an encrypted PEM with 2^31 rounds',
    `crypto.createVerify('sha256').update('x').verify({ key: ${pem}, passphrase: 'p' }, Buffer.alloc(8));`,
  ),
  cryptoAttack(
    'a PEM of 50 MB',
    "crypto.createPublicKey('-----BEGIN PUBLIC KEY-----\\n' + 'A'.repeat(5e7) + '\\n-----END PUBLIC KEY-----');",
  ),
];

const hashes: readonly ComponentAttack[] = [
  cryptoAttack(
    'asynchronous hashes for 60 s',
    "const data = new Uint8Array(1e6); const until = Date.now() + 60_000; while (Date.now() < until) await crypto.subtle.digest('SHA-512', data);",
  ),
  cryptoAttack(
    'asynchronous hashes between timers for 60 s',
    "const data = new Uint8Array(5e6); const until = Date.now() + 60_000; while (Date.now() < until) { await new Promise((done) => setTimeout(done, 1)); await crypto.subtle.digest('SHA-512', data); }",
  ),
  cryptoAttack('sha3 of 100 MB', "for (;;) crypto.createHash('sha3-512').update(Buffer.alloc(1e8)).digest();"),
  cryptoAttack(
    'two million rounds of sha3',
    "let h = Buffer.alloc(64); for (let at = 0; at < 2_000_000; at++) h = crypto.createHash('sha3-512').update(h).digest();",
  ),
  cryptoAttack(
    'an hmac with a key of 60 MB',
    "for (;;) crypto.createHmac('sha512', Buffer.alloc(6e7)).update('x').digest();",
  ),
  cryptoAttack(
    'a cipher of 100 MB',
    "for (;;) { const c = crypto.createCipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12)); c.update(Buffer.alloc(1e8)); c.final(); }",
  ),
  cryptoAttack('random bytes without end', 'for (;;) crypto.randomBytes(1024 * 1024);'),
  cryptoAttack('random bytes of a length that is no number', 'crypto.randomBytes({ valueOf: () => 1e12 });'),
];

/** Checks the neighbours' runs, because the hashing is in all of their runners. */
const together: ComponentAttack = {
  kind: 'component',
  name: 'crypto: three runs that hash until they are ended',
  code: () =>
    component({ before: required, run: "for (;;) await crypto.subtle.digest('SHA-512', new Uint8Array(1e7));" }),
  requests: [{}, {}, {}],
  expected: ended,
};

export const cryptos: readonly ComponentAttack[] = [...derivations, ...keys, ...hashes, together];
