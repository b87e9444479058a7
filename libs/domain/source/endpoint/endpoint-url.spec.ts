import fc from 'fast-check';
import { endpointUrl, keyOfLabel, labelOfKey, sharedBase } from './endpoint-url.ts';

const publicUrl = 'https://example.com';

test.each([
  [undefined, 'https://example.com/e/k3y', 'https://example.com'],
  ['https://hooks.example.com', 'https://hooks.example.com/e/k3y', 'https://hooks.example.com'],
  ['https://*.hooks.example.com:8443', 'https://k3y.hooks.example.com:8443', 'https://hooks.example.com:8443'],
])('an endpoint of %s has its URL below it', (own, url, base) => {
  expect(endpointUrl({ publicUrl, endpointUrl: own }, 'k3y')).toBe(url);
  expect(sharedBase({ publicUrl, endpointUrl: own })).toBe(base);
});

const keys = fc.stringMatching(/^[0-9A-Za-z]{1,26}$/);

test('a label is a valid part of a host name, and leads back to its key alone', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(labelOfKey(key)).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
      expect(keyOfLabel(labelOfKey(key))).toBe(key);
    }),
  );
});

test.each(['', 'a.b', 'a-', '-a', 'a-b', 'x-', 'x--a', 'x-1', 'K3Y', 'a_b', '*'])(
  'no key has the label %j',
  (label) => {
    expect(keyOfLabel(label)).toBeUndefined();
  },
);
