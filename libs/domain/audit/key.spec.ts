// A key opens with the master key that sealed it and with no other, and signs what its public half verifies.
import { isSigned, publicKeyOf, signLine } from '../../verifier/checkpoint.ts';
import { seedBytes } from '../keys/ed25519-seed.ts';
import { createAuditKey, openAuditKey } from './key.ts';

const master = Buffer.alloc(32, 1);
const createdKey = createAuditKey(master, Buffer.alloc(seedBytes, 2), Buffer.alloc(12, 3));

test('signatures by the opened key verify with the published public key', () => {
  const opened = openAuditKey(master, createdKey);
  const publicKey = publicKeyOf(createdKey.publicKey);
  if (opened === undefined || publicKey === undefined) throw new Error('the key opens');
  expect(opened.keyId).toBe(createdKey.keyId);
  expect(isSigned('line', signLine('line', opened.privateKey), publicKey)).toBe(true);
});

test('the key does not open with another master key or after any of its fields was changed', () => {
  const other = createAuditKey(master, Buffer.alloc(seedBytes, 4), Buffer.alloc(12, 3));
  expect(openAuditKey(Buffer.alloc(32, 9), createdKey)).toBeUndefined();
  expect(openAuditKey(master, { ...createdKey, keyId: other.keyId })).toBeUndefined();
  expect(openAuditKey(master, { ...createdKey, publicKey: other.publicKey })).toBeUndefined();
  expect(openAuditKey(master, { ...createdKey, sealed: other.sealed })).toBeUndefined();
  expect(openAuditKey(master, { ...createdKey, sealed: 'nonsense' })).toBeUndefined();
});

test('the published record does not contain the private key', () => {
  expect(JSON.stringify(createdKey)).not.toContain(Buffer.alloc(seedBytes, 2).toString('base64'));
});
