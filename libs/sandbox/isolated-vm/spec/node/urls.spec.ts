// URLs and paths are made, parsed and rejected as in Node.
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
    'a URL of parts, with its query',
    `const { format } = require('url'); const of = (query) => format({ protocol: 'http:', hostname: 'a.com', port: 80, pathname: 'x', query, hash: 'h' });
    return [of({ a: [1, 2], b: 'x y', c: null }), of({}), of({ 'é&': '=' }), format({ query: { a: 1, b: 2 } })];`,
  ],
  [
    'a URL, without some of its parts',
    `const { format } = require('url'); const whole = new URL('http://u:p@xn--mnchen-3ya.de:81/b?c#d');
    return [format(whole), ...['auth', 'fragment', 'search'].map((name) => format(whole, { [name]: false })), format(whole, { unicode: true }), await tried(() => format(5)), whole.href];`,
  ],
  [
    'what is no URL',
    `const told = async (call) => { try { return String(await call()); } catch (e) { return [e.name, e.code, e.message, e.input ?? null, e.base ?? null]; } };
    return [await told(() => new URL('x')), await told(() => new URL('http://a:99999', 'http://b')), await told(() => new URL()), await told(() => URL('http://a')), await told(() => { new URL('http://a').href = 'x'; }),
      await told(() => new URL('/a', 'x')), await told(() => new URL('/a', 'http://b.c')), URL.canParse('x'), URL.parse('x'), new URL('http://a/').constructor === URL, URL.name, new (class extends URL {})('http://a').host];`,
  ],
  ['a URL that is shown', `return require('util').inspect({ url: new URL('http://u:p@a.com:1/b?c=d#e') });`],
  [
    'files as URLs and back',
    `const { fileURLToPath, pathToFileURL } = require('url'); const back = (text) => tried(() => fileURLToPath(text));
    return [await back('file:///a%20b'), await back('file:///a%2Fb'), await back('file://host/a'), await back('http://a'), await back(5), await back(new URL('file:///x')), ...['/a b#c?d%', '/a/../b\\n', '/a@b:c+d/', '/', '/é/x\\\\y'].map((path) => pathToFileURL(path).href)];`,
  ],
  [
    'paths of parts, and what are none',
    `const path = require('path'); const wrong = ['join', 'resolve', 'normalize', 'dirname', 'basename', 'extname', 'parse', 'isAbsolute', 'format'];
    return [path.format({ dir: '/a', name: 'b', ext: 'c' }), path.format({ dir: '/a', name: 'b', ext: '.c' }), path.format({ base: 'x', ext: 'c' }), path.format({ root: '/', name: 'x' }), path.toNamespacedPath('/a'), path.posix === path, path.join('a', '..', 'b'),
      ...await Promise.all(wrong.map((name) => tried(() => path[name](5)))), await tried(() => path.format(null)), await tried(() => path.basename('a', 5)), await tried(() => path.relative('a', 5))];`,
  ],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, body)).toEqual(await inNode(body));
});
