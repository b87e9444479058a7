import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processorMs } from '../../../primitives/processor-ms.fake.ts';
import { readDeclaration } from './declaration.ts';
import { componentsIn } from './scan.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scan-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

test.each([
  [
    'export default {\n  key: "acme-new-order",\n  name: "New Order",\n  description: "Emits orders",\n  type: "source",\n  props: { app: { type: "app", name: "acme" } } };',
    { key: 'acme-new-order', type: 'source', name: 'New Order', description: 'Emits orders' },
  ],
  [
    "module.exports = { ...common, 'key': 'acme-add', name: 'Add \"it\"', type: 'action' };",
    { key: 'acme-add', type: 'action', name: 'Add "it"', description: '' },
  ],
  [
    'defineSource({ description: `Two\nlines`, key: `acme-ts-source` })',
    { key: 'acme-ts-source', description: 'Two\nlines' },
  ],
])('the text %j is recognized as a component', (text, declared) => {
  expect(readDeclaration(text)).toMatchObject(declared);
});

test.each(['', 'export default {}', 'const monkey = { key: "x" };', 'h({ key: "Content-Type" })', 'key: acme-a'])(
  'the text %j is not a component',
  (text) => {
    expect(readDeclaration(text)).toBeUndefined();
  },
);

test('the components of a package are found in all its folders, preferring the file named after the key', async () => {
  await write({
    'package.json': '{}',
    'acme.app.mjs': 'export default { type: "app", app: "acme" };',
    'sources/new-order/new-order.mjs': 'export default { key: "acme-new-order", name: "New Order" };',
    'sources/new-order/test-event.mjs': 'export default { key: "acme-new-order" };',
    'common/all.mjs': 'export default { key: "acme-new-order" };',
    'dist/actions/add/add.js': 'export default { key: "acme-add", type: "action" };',
    'dist/actions/add/add.d.ts': 'export default { key: "acme-types" };',
    'node_modules/other/sources/x.mjs': 'export default { key: "other-x" };',
    'README.md': 'key: "acme-read-me"',
  });
  await symlink('/', join(folder, 'root'));
  expect(await componentsIn(folder)).toEqual([
    { key: 'acme-add', type: 'action', name: 'acme-add', description: '', path: 'dist/actions/add/add.js' },
    {
      key: 'acme-new-order',
      type: 'source',
      name: 'New Order',
      description: '',
      path: 'sources/new-order/new-order.mjs',
    },
  ]);
});

test('only the beginning of a file is read, in linear time', async () => {
  await write({ 'sources/big.mjs': `${' '.repeat(200_000)}export default { key: "acme-late" };` });
  await write({ 'sources/odd.mjs': `${'key: "'.repeat(20_000)}` });
  expect(await componentsIn(folder)).toEqual([]);
  // Quadratic time would take minutes.
  expect(processorMs(() => readDeclaration('key: "'.repeat(200_000)))).toBeLessThan(2_000);
});
