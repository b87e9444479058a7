import { FakePackages } from '../../../packages/packages.fake.ts';
import type { PackagedComponent } from '../../../packages/packages.ts';
import { searchRegistry } from './registry-search.ts';

const app = 'acme';
const bytesMax = 64 * 1024;

const component = (n: number, more: Partial<PackagedComponent> = {}): PackagedComponent => ({
  key: `acme-${n}`,
  type: 'action',
  name: `Component ${n}`,
  description: 'What it does',
  path: `actions/${n}.mjs`,
  ...more,
});

async function listOf(count: number, more: Partial<PackagedComponent> = {}) {
  const packages = new FakePackages();
  const components = Array.from({ length: count }, (_, n) => component(n, more));
  packages.registry.set('@pipedream/acme', {
    kind: 'found',
    package: { name: '@pipedream/acme', version: '1.0.0' },
    components,
  });
  const found = await searchRegistry(packages, { app }, 'o_1');
  return 'components' in found ? found.components : [];
}

test('the components of an app are listed without their files, with the beginning of their texts', async () => {
  const description = 'x'.repeat(1_000);
  expect(await listOf(1, { description })).toEqual([
    { key: 'acme-0', type: 'action', name: 'Component 0', description: description.slice(0, 300) },
  ]);
});

test.each([
  ['texts that are long', 500, { name: 'é'.repeat(300), description: 'é'.repeat(300) }, 500],
  ['more components than are told', 600, {}, 500],
])('a list stays small: of %s, each component is told', async (_what, count, more, expected) => {
  const list = await listOf(count, more);
  expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(bytesMax);
  expect(list).toHaveLength(expected);
});

test('a list stays small, also where keys alone are too much', async () => {
  const list = await listOf(500, { key: 'k'.repeat(200) });
  expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(bytesMax);
  expect(list.length).toBeGreaterThan(200);
});
