// Keys and checkpoints are read from API responses, from exports, and from bodies that a webhook received.
import { describe, expect, it } from '@jest/globals';
import { fakeKey } from './export/honest-export.fake.ts';
import { readKeptCheckpoints, readKeys } from './kept-files.ts';

const { publicKey } = fakeKey();

describe('keys', () => {
  it('are read from an answer of the API, from the first line of an export, and from plain lines', () => {
    expect(readKeys(JSON.stringify({ data: [{ id: 'a', public_key: publicKey }] }))).toEqual([publicKey]);
    expect(readKeys(`{"wellspring":"history","keys":[{"id":"a","publicKey":"${publicKey}"}]}\n{}\n`)).toEqual([
      publicKey,
    ]);
    expect(readKeys(`${publicKey}\n`)).toEqual([publicKey]);
  });

  it('are refused when there are none', () => {
    expect(() => readKeys('')).toThrow('there is no public key in it');
    expect(() => readKeys('{"public_key":"AAAA"}')).toThrow('no Ed25519 public key');
  });
});

describe('checkpoints', () => {
  const signed = { line: '{"count":1}', signatures: [{ keyId: 'k', signature: 's' }] };

  it('are read at any place of a file', () => {
    const ofApi = { data: [{ line: signed.line, signatures: [{ key_id: 'k', signature: 's' }] }] };
    expect(readKeptCheckpoints(JSON.stringify(ofApi))).toEqual([signed]);
    const body = JSON.stringify({ event: { checkpoints: [signed] } });
    expect(readKeptCheckpoints(`${body}\n${body}\nnot JSON\n`)).toEqual([signed, signed]);
    const exported = {
      topic: 'runs',
      partition: 0,
      checkpoint: signed.line,
      signatures: signed.signatures,
      prints: '',
    };
    expect(readKeptCheckpoints(`{"a":1}\n${JSON.stringify(exported)}`)).toEqual([signed]);
  });

  it('are refused when there are none', () => {
    expect(() => readKeptCheckpoints('{}')).toThrow('there is no checkpoint in it');
  });
});
