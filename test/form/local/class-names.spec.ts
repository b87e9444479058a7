// Classes with the same name in two modules keep it in the bundle of the apps, in every form that the compiler prints.
import { build } from 'esbuild';
import { runInNewContext } from 'node:vm';

const file = new URL('../../../deploy/local/bundling/class-names.mjs', import.meta.url).href;
const { withClassNames } = (await import(file)) as { readonly withClassNames: (text: string) => string };

const other = 'class Twin {\n}\nexport { Twin };';
const forms = [
  'export class Twin {\n}',
  'class Twin {\n}\nexport { Twin };',
  'export default class Twin {\n}\nexport { Twin };',
  'class Base {\n}\nexport class Twin extends Base {\n}',
  'const made = { Base: class {} };\nexport class Twin extends made.Base {\n}',
  'let Twin = class Twin {\n};\nexport { Twin };',
  'var Twin_1;\nlet Twin = Twin_1 = class Twin {\n  static own = () => Twin_1;\n};\nexport { Twin };',
  'const both = (A, B) => class extends A {};\nclass A {\n}\nclass B {\n}\nexport class Twin extends both(A, B) {\n}',
  'const made = { of: () => class {} };\nexport class Twin extends made.of() {\n}',
];

/** The names of both classes at runtime. */
async function namesIn(form: string, change: (text: string) => string): Promise<unknown> {
  const modules: Readonly<Record<string, string>> = { form: change(form), other: change(other) };
  const contents = `
    import { Twin as One } from 'form';
    import { Twin as Two } from 'other';
    export const names = [One.name, Two.name].join();`;
  const { outputFiles } = await build({
    stdin: { contents },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bundled',
    plugins: [
      {
        name: 'modules in memory',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^(form|other)$/ }, ({ path }) => ({ path, namespace: 'memory' }));
          onLoad({ filter: /./, namespace: 'memory' }, ({ path }) => ({ contents: modules[path] ?? '' }));
        },
      },
    ],
  });
  return runInNewContext(`${outputFiles[0]?.text ?? ''}; bundled.names`);
}

test.each(forms)('a class keeps its name in a bundle with another class of that name: %j', async (form) => {
  expect(await namesIn(form, (text) => text)).not.toBe('Twin,Twin');
  expect(await namesIn(form, withClassNames)).toBe('Twin,Twin');
});

test('leaves text alone that only mentions a class or has another form', () => {
  const text = [
    "const a = 'class Twin {';",
    '// class Twin {',
    ' * class Twin {',
    'const b = `a class Twin {`;',
    'class Twin { }',
    'class Twin extends made[0] {',
    'const c = class {',
    'return class Twin {',
  ].join('\n');
  expect(withClassNames(text)).toBe(text);
});
