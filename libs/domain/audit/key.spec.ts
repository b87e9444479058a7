// A key opens with the master key that sealed it and with no other, and signs what its public half verifies.
import { isSigned, publicKeyOf, signLine } from '../../verifier/checkpoint.ts';
import { seedBytes } from '../secrets/ed25519-seed.ts';
import { auditKeyMade, openAuditKey } from './key.ts';

const master = Buffer.alloc(32, 1);
const made = auditKeyMade(master, Buffer.alloc(seedBytes, 2), Buffer.alloc(12, 3));

test('signatures by the opened key verify with the published public key', () => {
  const opened = openAuditKey(master, made);
  const publicKey = publicKeyOf(made.publicKey);
  if (opened === undefined || publicKey === undefined) throw new Error('the key opens');
  expect(opened.keyId).toBe(made.keyId);
  expect(isSigned('line', signLine('line', opened.privateKey), publicKey)).toBe(true);
});

test('the key does not open with another master key or after any of its fields was changed', () => {
  const other = auditKeyMade(master, Buffer.alloc(seedBytes, 4), Buffer.alloc(12, 3));
  expect(openAuditKey(Buffer.alloc(32, 9), made)).toBeUndefined();
  expect(openAuditKey(master, { ...made, keyId: other.keyId })).toBeUndefined();
  expect(openAuditKey(master, { ...made, publicKey: other.publicKey })).toBeUndefined();
  expect(openAuditKey(master, { ...made, sealed: other.sealed })).toBeUndefined();
  expect(openAuditKey(master, { ...made, sealed: 'nonsense' })).toBeUndefined();
});

test('the published record does not contain the private key', () => {
  expect(JSON.stringify(made)).not.toContain(Buffer.alloc(seedBytes, 2).toString('base64'));
});
