import { endpointUrl } from '../../../../domain/source/endpoint/endpoint-url.ts';
import { openPaths } from './open-paths.ts';

const publicUrl = 'https://api.example.com';
const key = '0123456789abcdefghijklmnop';

/** The document's path of the endpoints, and the URL to which it leads for a key. */
function endpointsWith(own?: string): { readonly path: string; readonly url: string } {
  const found = Object.entries(openPaths({ publicUrl, endpointUrl: own })).filter(([, { post }]) => post !== undefined);
  const [path, { servers = [{ url: publicUrl }] }] = found[0] ?? ['', {}];
  expect([found.length, servers.length]).toEqual([1, 1]);
  const url = `${servers[0]?.url}${path}`.replace('{endpointKey}', key);
  return { path, url: url.replace(/\/$/, '') };
}

test.each([
  ['at the public address', undefined, '/e/{endpointKey}'],
  ['on a host for all', 'https://hooks.example.com', '/e/{endpointKey}'],
  ['on a host each', 'https://*.hooks.example.com:8443', '/'],
])('endpoints %s are described by the URL that they have', (_where, own, expected) => {
  const { path, url } = endpointsWith(own);
  expect(path).toBe(expected);
  expect(url).toBe(endpointUrl({ publicUrl, endpointUrl: own }, key));
});

test('a key in the host is a variable of the server, and a key in the path is a parameter', () => {
  const inHost = openPaths({ publicUrl, endpointUrl: 'https://*.hooks.example.com' })['/'];
  expect(inHost?.servers?.[0]?.variables).toEqual({ endpointKey: { default: 'KEY', description: expect.any(String) } });
  expect(inHost?.post?.parameters).toEqual([]);
  const inPath = openPaths({ publicUrl })['/e/{endpointKey}'];
  expect(inPath?.post?.parameters).toEqual([expect.objectContaining({ name: 'endpointKey', in: 'path' })]);
  expect(inPath).not.toHaveProperty('servers');
});
