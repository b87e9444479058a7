// The cost of decrypting a key is read from the key's own text.
import { generateKeyPairSync } from 'node:crypto';
import { isTooCostly } from './encrypted-keys.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const passphrase = 'word';
const options = { type: 'pkcs8', cipher: 'aes-256-cbc', passphrase } as const;
const der = privateKey.export({ ...options, format: 'der' });
const pem = privateKey.export({ ...options, format: 'pem' }).toString();

const asPem = (bytes: Buffer, label = 'ENCRYPTED PRIVATE KEY'): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;

/** The key with 2^31 - 1 iterations: Node writes 2,048 as `02 02 08 00`. */
function costly(): Buffer {
  const at = der.indexOf(Buffer.from([0x02, 0x02, 0x08, 0x00]));
  const patched = Buffer.concat([
    der.subarray(0, at),
    Buffer.from([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff]),
    der.subarray(at + 4),
  ]);
  return longer(patched, at, 2);
}

/** Increases the length of every sequence around `at` by `by` bytes. */
function longer(bytes: Buffer, at: number, by: number): Buffer {
  for (let from = 0; from < at;) {
    if (bytes[from] !== 0x30) break;
    const first = bytes[from + 1] ?? 0;
    const offset = first < 0x80 ? from + 1 : from + 1 + (first - 0x80);
    const content = first < 0x80 ? from + 2 : offset + 1;
    bytes[offset] = (bytes[offset] ?? 0) + by;
    from = content;
    // Skips the identifiers before the next inner sequence.
    while (bytes[from] === 0x06) from += 2 + (bytes[from + 1] ?? 0);
  }
  return bytes;
}

test('a key as OpenSSL writes it is not too costly, encrypted or not', () => {
  const clear = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const old = privateKey.export({ type: 'sec1', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();
  for (const key of [pem, der, Buffer.from(pem), clear, old]) expect(isTooCostly(key)).toBe(false);
});

test('a key that asks for 2^31 iterations is too costly, in any form', () => {
  const key = costly();
  expect(key.readInt32BE(key.indexOf(Buffer.from([0x7f, 0xff, 0xff, 0xff])))).toBe(2 ** 31 - 1);
  for (const text of [key, asPem(key), Buffer.from(asPem(key)), `${pem}${asPem(key)}`]) {
    expect(isTooCostly(text)).toBe(true);
  }
});

test.each([
  ['a length that BER leaves open', Buffer.from([0x30, 0x80, 0x30, 0x00, 0x00, 0x00])],
  ['a length beyond the end', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])],
  ['nothing', Buffer.alloc(0)],
  ['sequences without end', Buffer.concat(Array.from({ length: 50 }, (_, n) => Buffer.from([0x30, 2 * (50 - n) - 2])))],
])('what cannot be read counts as too costly: %s', (_name, bytes) => {
  expect(isTooCostly(bytes)).toBe(true);
  expect(isTooCostly(asPem(bytes))).toBe(true);
});

test('a key with a comment in its block, which hides its cost, counts as too costly', () => {
  expect(isTooCostly(pem.replace('\n', '\nComment: a-b\n'))).toBe(true);
});
