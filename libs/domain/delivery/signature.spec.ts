import { createHmac, createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { keyPairFromSeed } from './ed25519.ts';
import { pipedreamSignature, secretFromBytes, signingKeyOf, standardSignature } from './signature.ts';

const secret = secretFromBytes(Buffer.alloc(24, 7));
const other = secretFromBytes(Buffer.alloc(32, 9));
const body = JSON.stringify({ text: 'Grüße, 世界', n: 1 });
const timestampSeconds = Math.floor(Date.now() / 1000);

const headers = (secrets: readonly string[]): Record<string, string> => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': standardSignature(secrets.map(signingKeyOf), { id: 'msg_1', timestampSeconds, body }),
});

test('the standardwebhooks library accepts the signature', () => {
  expect(new Webhook(secret).verify(body, headers([secret]))).toEqual(JSON.parse(body));
});

test('while keys overlap, receivers with either one accept the signature', () => {
  expect(headers([secret, other])['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const one of [secret, other]) {
    expect(new Webhook(one).verify(body, headers([secret, other]))).toEqual(JSON.parse(body));
    expect(() => new SvixWebhook(one).verify(body, headers([secret, other]))).not.toThrow();
  }
});

test('another key, another body or another id is refused', () => {
  expect(() => new Webhook(other).verify(body, headers([secret]))).toThrow();
  expect(() => new SvixWebhook(other).verify(body, headers([secret]))).toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, headers([secret]))).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers([secret]), 'webhook-id': 'msg_2' })).toThrow();
});

test('the signature equals the one that the standardwebhooks library makes', () => {
  const made = new Webhook(secret).sign('msg_1', new Date(timestampSeconds * 1000), body);
  expect(headers([secret])['webhook-signature']).toBe(made);
});

test.each(['', 'whsec_', 'secret', 'whsec_not base64!'])('%j is not a signing key', (text) => {
  expect(() => signingKeyOf(text)).toThrow('whsec_');
});

test('x-pd-signature signs the timestamp and the body with the text of the secret, as clients of Pipedream check it', () => {
  const header = pipedreamSignature([secret, other].map(signingKeyOf), { id: 'msg_1', timestampSeconds, body });
  const mac = (text: string): string => createHmac('sha256', text).update(`${timestampSeconds}.${body}`).digest('hex');
  expect(header).toBe(`t=${timestampSeconds},v1=${mac(secret)},v1=${mac(other)}`);
});

describe('by Ed25519', () => {
  const pair = keyPairFromSeed(Buffer.alloc(32, 3));

  /** Checks as a receiver that knows only the public key. */
  const accepts = (publicKey: string, signature: string, content: string): boolean => {
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(content), key, Buffer.from(signature.slice('v1a,'.length), 'base64'));
  };

  test('only the matching public key and the same body verify', () => {
    const signature = headers([pair.privateKey])['webhook-signature'] ?? '';
    expect(signature).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
    const content = `msg_1.${timestampSeconds}.${body}`;
    expect(accepts(pair.publicKey, signature, content)).toBe(true);
    expect(accepts(pair.publicKey, signature, `${content} `)).toBe(false);
    expect(accepts(keyPairFromSeed(Buffer.alloc(32, 4)).publicKey, signature, content)).toBe(false);
  });

  test('the seed of RFC 8032, test 1, gives its key pair', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const publicBytes = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
    expect(keyPairFromSeed(seed)).toEqual({
      privateKey: `whsk_${Buffer.concat([seed, publicBytes]).toString('base64')}`,
      publicKey: `whpk_${publicBytes.toString('base64')}`,
    });
  });

  test('the signature equals the one that the libraries tweetnacl 1.0.3 and @noble/curves 2.4.0 make', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const signed = { id: 'msg_1', timestampSeconds: 1_700_000_000, body };
    // Ed25519 is deterministic: what another library signs with the same seed and content is the same.
    const theirs = 'sgjrDFbPqWB7vr8TebzL2WAEU+anpX0QDqHCI+vFTrotKk3LNyuY/rMaB7ptTNxCRpteRtzMh/rfpQ01p6I9Cg==';
    expect(standardSignature([signingKeyOf(keyPairFromSeed(seed).privateKey)], signed)).toBe(`v1a,${theirs}`);
  });

  test('while a webhook changes to Ed25519, receivers with the former HMAC key accept the signature as well', () => {
    const both = headers([pair.privateKey, secret]);
    expect(new Webhook(secret).verify(body, both)).toEqual(JSON.parse(body));
    expect(() => new SvixWebhook(secret).verify(body, both)).not.toThrow();
    const signable = { id: 'msg_1', timestampSeconds, body };
    expect(pipedreamSignature([signingKeyOf(pair.privateKey)], signable)).toBe('');
    expect(pipedreamSignature([pair.privateKey, secret].map(signingKeyOf), signable)).toBe(
      pipedreamSignature([signingKeyOf(secret)], signable),
    );
  });

  test.each(['whsk_', 'whsk_AAAA', `whsk_${Buffer.alloc(32).toString('base64')}`])(
    '%j is not a signing key',
    (text) => {
      expect(() => signingKeyOf(text)).toThrow('whsk_');
    },
  );
});
