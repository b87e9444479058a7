// A checkpoint's line is always the same text, and its signature is valid only for the key that signed it.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Checkpoint,
  checkpointLine,
  checkpointVersion,
  isSigned,
  keyIdOf,
  publicKeyOf,
  signLine,
} from './checkpoint.ts';
import { hashOfLeaf, leafOf, leafText } from './leaf.ts';

const checkpoint: Checkpoint = {
  version: checkpointVersion,
  topic: 'channels',
  partition: 3,
  count: 12,
  root: 'ab'.repeat(32),
  newest: 1_700_000_000_000,
  trimmed: 4,
  previous: '',
  time: 1_700_000_000_001,
  keyId: 'cd'.repeat(32),
};

const pairOf = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { text: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'), privateKey };
};

describe('a checkpoint', () => {
  it('is written in a canonical form, whatever the order and number of its fields', () => {
    const reversed = { more: 1, ...Object.fromEntries(Object.entries(checkpoint).toReversed()) };
    expect(checkpointLine(reversed as unknown as Checkpoint)).toBe(JSON.stringify(checkpoint));
  });

  it('verifies with the key that signed it only, and only unchanged', () => {
    const [own, other] = [pairOf(), pairOf()];
    const [ownKey, otherKey] = [publicKeyOf(own.text), publicKeyOf(other.text)];
    if (ownKey === undefined || otherKey === undefined) throw new Error('a key that was made can be read');
    const line = checkpointLine(checkpoint);
    const signature = signLine(line, own.privateKey);
    expect(isSigned(line, signature, ownKey)).toBe(true);
    expect(isSigned(line, signature, otherKey)).toBe(false);
    expect(isSigned(line, '', ownKey)).toBe(false);
    const law = fc.property(fc.nat({ max: line.length - 1 }), fc.integer({ min: 1, max: 127 }), (at, by) => {
      const changed = line.slice(0, at) + String.fromCharCode(line.charCodeAt(at) ^ by) + line.slice(at + 1);
      expect(isSigned(changed, signature, ownKey)).toBe(false);
    });
    fc.assert(law);
  });

  it('names its key by a hash of the key', () => {
    const { text } = pairOf();
    expect(keyIdOf(text)).toMatch(/^[0-9a-f]{64}$/);
    expect(keyIdOf(text)).not.toBe(keyIdOf(pairOf().text));
    expect(publicKeyOf('AAAA')).toBeUndefined();
    expect(publicKeyOf('')).toBeUndefined();
  });
});

describe('a leaf', () => {
  it('identifies a record without revealing it', () => {
    const leaf = leafOf('{"id":"evt"}', 5, 'o_1');
    expect(leafText(leaf)).toBe(`5\n${leaf.workspace}\n${leaf.digest}`);
    expect(hashOfLeaf(leaf)).not.toEqual(hashOfLeaf({ ...leaf, time: 6 }));
    expect(leafText(leaf)).not.toContain('o_1');
  });
});
