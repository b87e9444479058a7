import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
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

test('during an overlap of keys each one is accepted', () => {
  expect(headers([secret, other])['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const one of [secret, other]) {
    expect(new Webhook(one).verify(body, headers([secret, other]))).toEqual(JSON.parse(body));
  }
});

test('another key, another body or another id is refused', () => {
  expect(() => new Webhook(other).verify(body, headers([secret]))).toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, headers([secret]))).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers([secret]), 'webhook-id': 'msg_2' })).toThrow();
});

test('it is the signature that the library itself makes', () => {
  const made = new Webhook(secret).sign('msg_1', new Date(timestampSeconds * 1000), body);
  expect(headers([secret])['webhook-signature']).toBe(made);
});

test.each(['', 'whsec_', 'secret', 'whsec_not base64!'])('%j is no signing key', (text) => {
  expect(() => signingKeyOf(text)).toThrow('whsec_');
});

test("the other header signs the timestamp and the body with the secret's own text, as clients of Pipedream check it", () => {
  const header = pipedreamSignature([secret, other].map(signingKeyOf), { id: 'msg_1', timestampSeconds, body });
  const mac = (text: string): string => createHmac('sha256', text).update(`${timestampSeconds}.${body}`).digest('hex');
  expect(header).toBe(`t=${timestampSeconds},v1=${mac(secret)},v1=${mac(other)}`);
});
