// Files are found by patterns of their paths, as in Node.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from '../work/as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

it.each([
  [
    'files',
    `const fs = require('fs'); const cwd = '/tmp/wellspring-glob'; fs.rmSync(cwd, { recursive: true, force: true });
    for (const path of ['x.js', 'y.ts', '.dot', 'a/z.js', 'a/b/w.js', 'c/[q].js', '.h/i.js']) { fs.mkdirSync(cwd + '/' + path.replace(/[^/]*$/, ''), { recursive: true }); fs.writeFileSync(cwd + '/' + path, ''); }
    const found = (pattern, options) => fs.globSync(pattern, { cwd, ...options }).map((one) => (typeof one === 'string' ? one : [one.name, one.parentPath, one.isDirectory()])).sort();
    const patterns = ['*', '*.js', '**', '**/*.js', 'a/**', 'a/*', '{x,y}.*', '?.js', '[xy].*', '[!x].*', 'a/**/w.js', cwd + '/*.js', './x.js', 'a/../x.js', 'nope', 'a', 'a/', '**/b/**', '.*', '**/.*', '.h/*', '*/', '*.{js,ts}', '', 'a/b/../*', '**/**/*.js', ['*.js', '*.ts', 'x.*']];
    const all = [patterns.map((pattern) => found(pattern)), found('**/*.js', { exclude: (name) => name === 'b' }), found('**/*.js', { exclude: ['a/**'] }), found('a/*', { withFileTypes: true })];
    const each = []; for await (const one of fs.promises.glob('a/*', { cwd })) each.push(one);
    const called = await new Promise((resolve) => fs.glob('*.js', { cwd }, (error, matches) => resolve([error, matches])));
    fs.rmSync(cwd, { recursive: true }); return [all, each.sort(), called];`,
  ],
  [
    'paths',
    `const { matchesGlob } = require('path'); const pairs = [['/a/b.js', '/a/*.js'], ['a/b/c.ts', '**/*.{js,ts}'], ['.x', '*'], ['a/.x/y', '**/y'], ['a', 'a/**'], ['a/b', 'a/**'], ['a/', 'a'], ['a//b', 'a/b'], ['ab', 'a?'], ['abc', 'a[bc]c'], ['a.b', 'a.+'], ['', '*'], ['a/b', '*'], ['a/../b', 'b'], ['a(b', 'a(b'], ['é', '?']];
    return [pairs.map((pair) => matchesGlob(...pair)), await tried(() => matchesGlob(5, '*')), await tried(() => matchesGlob('a', null))];`,
  ],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, body)).toEqual(await inNode(body));
});
