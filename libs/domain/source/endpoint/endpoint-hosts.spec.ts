import { EndpointHosts } from './endpoint-hosts.ts';

const publicUrl = 'https://example.com';
const hostsOf = (endpointUrl?: string) => new EndpointHosts({ publicUrl, endpointUrl });

test('endpoints on the host of the service have none of their own', () => {
  expect([hostsOf().isOfEndpoints('example.com'), hostsOf().isOfEndpoints(undefined)]).toEqual([false, false]);
  expect(hostsOf().keyOf('k3y.example.com')).toBeUndefined();
});

test('a host for all endpoints names none of them', () => {
  const hosts = hostsOf('https://hooks.test');
  for (const host of ['hooks.test', 'HOOKS.test:8443', 'hooks.test.']) expect(hosts.isOfEndpoints(host)).toBe(true);
  for (const host of ['k3y.hooks.test', 'example.com', 'hooks.test.evil', '']) {
    expect([hosts.isOfEndpoints(host), hosts.keyOf(host)]).toEqual([false, undefined]);
  }
});

describe('a host for each endpoint', () => {
  const hosts = hostsOf('https://*.hooks.test:8443');

  test.each([
    ['k3y.hooks.test:8443', 'k3y'],
    ['K3Y.hooks.test', 'k3y'],
    ['k3y.hooks.test.', 'k3y'],
    ['x-k3-y.hooks.test', 'K3Y'],
  ])('%s names its key', (host, key) => {
    expect([hosts.keyOf(host), hosts.isOfEndpoints(host)]).toEqual([key, true]);
  });

  test.each(['a.k3y.hooks.test', 'a_b.hooks.test', '.hooks.test', '../k3y.hooks.test', 'k-.hooks.test'])(
    '%s is the host of no endpoint, and of nothing else',
    (host) => {
      expect([hosts.keyOf(host), hosts.isOfEndpoints(host)]).toEqual(['-', true]);
    },
  );

  test('the host above them names none, and serves endpoints by their path', () => {
    expect([hosts.keyOf('hooks.test'), hosts.isOfEndpoints('hooks.test')]).toEqual([undefined, true]);
  });

  test.each(['example.com', 'hooks.test.evil', 'k3yhooks.test', '127.0.0.1:3000', '', undefined])(
    '%s is the host of everything else',
    (host) => {
      expect([hosts.keyOf(host), hosts.isOfEndpoints(host)]).toEqual([undefined, false]);
    },
  );
});
