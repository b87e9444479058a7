// path.win32 has the same results as in Node, for paths of every form.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from '../work/as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

/** A relative path is resolved in the working directory, which is set to the same folder on both sides. */
const setup = `const path = require('path'); const { win32 } = path; process.cwd = () => ${JSON.stringify(process.cwd())};`;

test('by their functions', async () => {
  const body = `${setup}
    return [win32.join('C:\\\\a', '..', 'b.txt'), win32.basename('C:\\\\dir\\\\file.tar.gz', '.gz'), win32.parse('\\\\\\\\server\\\\share\\\\x.y'), win32.relative('C:\\\\a\\\\b', 'c:\\\\A\\\\c'), win32.format({ dir: 'C:\\\\a', name: 'b', ext: 'c' }), win32.sep, win32.delimiter,
      win32.isAbsolute('C:a'), win32.toNamespacedPath('C:\\\\a'), win32.resolve('.'), win32.resolve('x', 'D:\\\\y', 'z'), path.posix.win32 === win32, win32.posix === path.posix, require('path/win32') === win32, path.sep, await tried(() => win32.join(5)), await tried(() => win32.format('text'))];`;
  expect(await inComponent(sandbox, body)).toEqual(await inNode(body));
});

test('by paths that are drawn', async () => {
  const body = `${setup}
    const pieces = ['C:', 'd:', '\\\\', '/', '\\\\\\\\', '//', '.', '..', 'a', 'foo.txt', 'bar', '.x', 'b.tar.gz', '?', ':', 'CON', 'con:', 'server', 'share', 'É', 'a.'];
    let seed = 7; const drawn = (count) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % count; const made = () => Array.from({ length: drawn(7) }, () => pieces[drawn(pieces.length)]).join('');
    const told = []; for (let count = 0; count < 500; count++) { const [a, b, c] = [made(), made(), made()];
      told.push([a, b, c, win32.normalize(a), win32.join(a, b, c), win32.resolve(a, b), win32.resolve('C:\\\\x', a, b), win32.dirname(a), win32.basename(a), win32.basename(a, pieces[drawn(pieces.length)]), win32.extname(a), win32.parse(a), win32.isAbsolute(a), win32.relative(a, b), win32.toNamespacedPath(a)]); }
    return told;`;
  expect(await inComponent(sandbox, body)).toEqual(await inNode(body));
});
