// Hostile declarations of components: at deploy they are described, checked and put on the log.
import type { ComponentAttack } from '../attack.ts';
import { refused } from '../attack.ts';
import { nested } from './emit.ts';

/** The product may accept or refuse the component; an accepted one must run. */
const said = (name: string, code: string): ComponentAttack => ({
  kind: 'component',
  name: `manifest: ${name}`,
  code: () => code,
  said: { deploy: 'either' },
});
const no = (name: string, code: string, error?: RegExp): ComponentAttack =>
  refused(`manifest: ${name}`, () => code, error === undefined ? {} : { error });

/** The members of a component that runs; the given ones can override the first. */
const members = (given: string): string =>
  `name: 'Hostile', version: '0.0.1', props: { http: '$.interface.http' }, run() {}, ${given}`;
const exported = (given: string, before = ''): string => `${before}\nmodule.exports = { ${members(given)} };`;

/** Adds, while the product makes the list of props, one with a deep default that the component itself does not have. */
const deepMap = (depth: number): string => `${nested(depth)}
const map = Array.prototype.map;
Array.prototype.map = function (f) {
  if (this[0] !== 'http') return map.call(this, f);
  return [{ name: 'http', type: '$.interface.http' }, { name: 'a', type: 'any', optional: true, default: deep }];
};`;

const shapes: readonly ComponentAttack[] = [
  no('the module is a list', 'module.exports = [1, 2];'),
  no('the module is a regular expression', 'module.exports = /(a+)+$/;'),
  no('the module is a template literal', 'module.exports = `name ${1}`;'),
  no('the module is a text for a component', `module.exports = "{ name: 'x', version: '1', run() {} }";`),
  no('the module is null', 'module.exports = null;'),
  no(
    'the module is a proxy that throws',
    "module.exports = new Proxy({}, { get() { throw new Error('nothing here'); } });",
    /nothing here/,
  ),
  said(
    'the module is a proxy that answers differently each time',
    `let n = 0; const c = { ${members('')} }; module.exports = new Proxy(c, { get: (c, name) => (typeof c[name] === 'string' ? c[name] + n++ : c[name]) });`,
  ),
  said(
    'the module is a class',
    "module.exports = class { static name = 'Hostile'; static version = '1'; static props = { http: '$.interface.http' }; static run() {} };",
  ),
];

const fields: readonly ComponentAttack[] = [
  no('the name is an object', exported("name: { toString: () => 'Hostile' },"), /name/),
  no('the name is a list', exported("name: ['Hostile'],"), /name/),
  no('the name has a getter that throws', exported("get name() { throw new Error('no name'); },"), /no name/),
  no('the name has a million characters', exported("name: 'n'.repeat(1e6),"), /name/),
  no('the version is a number', exported('version: 1,'), /version/),
  no('dedupe is a list', exported("dedupe: ['unique'],"), /dedupe/),
  no('run is a text', exported("run: 'function () {}',"), /run/),
  no('props is a text', exported("props: '$.interface.http',"), /props/),
  no('props is a list', exported("props: ['$.interface.http', 'no type'],")),
  no('a prop is a regular expression', exported('props: { a: /string/ },')),
  no('a prop has a type that is a list', exported("props: { a: { type: ['string'] } },"), /type/),
  said('name and description of UTF-16 halves and NUL', exported("name: 'a\\ud800\\0', description: '\\udfff',")),
  said('hooks are texts and numbers', exported("hooks: { deploy: 'deploy()', activate: 1 },")),
  said(
    'methods called like what the product sets',
    exported('methods: { $emit() {}, constructor() {}, __proto__: null, run() {} },'),
  ),
  said('a prop called __proto__', exported('props: JSON.parse(\'{"__proto__":"string"}\'),')),
  said(
    'options that hold themselves',
    exported(
      "props: { http: '$.interface.http', a: { type: 'string', optional: true, options: loop } },",
      'const loop = []; loop.push(loop);',
    ),
  ),
  said(
    'a propDefinition that leads to itself',
    exported(
      "props: { a: { propDefinition: [app, 'a'] } },",
      'const app = { propDefinitions: {} }; app.propDefinitions.a = { propDefinition: [app, "a"] };',
    ),
  ),
];

const large: readonly ComponentAttack[] = [
  no(
    '100 MB of defaults',
    exported(
      "props: Object.fromEntries(Array.from({ length: 500 }, (_, i) => ['p' + i, { type: 'any', default: Array(4).fill('x'.repeat(64_000)) }])),",
    ),
  ),
  said(
    '100 MB by a patched slice',
    exported("description: 'long',", "String.prototype.slice = () => 'x'.repeat(1e8);"),
  ),
  said(
    '100 MB by a patched defineProperty',
    exported(
      '',
      "const define = Object.defineProperty; Object.defineProperty = (o, name, d) => define(o, name, { ...d, value: 'x'.repeat(2e7) });",
    ),
  ),
  said(
    '10,000 props',
    exported("props: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => ['p' + i, 'string'])),"),
  ),
  said(
    '100,000 options',
    exported(
      "props: { http: '$.interface.http', a: { type: 'string', optional: true, options: Array.from({ length: 1e5 }, String) } },",
    ),
  ),
  said(
    'nested 30,000 deep',
    exported("props: { http: '$.interface.http', a: { type: 'any', default: deep } },", nested(30_000)),
  ),
];

const patched: readonly ComponentAttack[] = [
  said('24,000 deep by a patched Array.prototype.map', exported('', deepMap(24_000))),
  said('4,000 deep by a patched Array.prototype.map', exported('', deepMap(4_000))),
  said(
    'deep by a patched Array.prototype.slice',
    exported(
      "props: { http: '$.interface.http', a: { type: 'any', default: [1] } },",
      `${nested(30_000)} Array.prototype.slice = () => deep;`,
    ),
  ),
  said('deep by a toJSON of every object', exported('', `${nested(30_000)} Object.prototype.toJSON = () => deep;`)),
  said('no JSON by a toJSON of every text', exported('', 'String.prototype.toJSON = () => undefined;')),
  said(
    'Object.keys and the iterators are replaced',
    exported(
      '',
      "Object.keys = () => ['__proto__']; Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; };",
    ),
  ),
  no(
    'an error while it loads that has getters',
    "throw { get name() { throw 1; }, get message() { return 'x'.repeat(1e8); }, get stack() { return 'component.js:1:1\\n'.repeat(1e5); } };",
  ),
];

export const manifests: readonly ComponentAttack[] = [...shapes, ...fields, ...large, ...patched];
