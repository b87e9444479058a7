// Hostile declarations of components: at deploy they are described, checked and put on the log.
import type { ComponentAttack } from '../attack.ts';
import { refusedDeploy } from '../attack.ts';
import { nested } from './emit.ts';

/** The product may accept or refuse the component; an accepted one must run. */
const manifestAttack = (name: string, code: string): ComponentAttack => ({
  kind: 'component',
  name: `manifest: ${name}`,
  code: () => code,
  expected: { deploy: 'either' },
});
const refusedManifest = (name: string, code: string, error?: RegExp): ComponentAttack =>
  refusedDeploy(`manifest: ${name}`, () => code, error === undefined ? {} : { error });

/** The members of a component that runs; the given ones can override the first. */
const componentMembers = (overrides: string): string =>
  `name: 'Hostile', version: '0.0.1', props: { http: '$.interface.http' }, run() {}, ${overrides}`;
const exportedComponent = (overrides: string, before = ''): string =>
  `${before}\nmodule.exports = { ${componentMembers(overrides)} };`;

/** Adds, while the product makes the list of props, one with a deep default that the component itself does not have. */
const deepMap = (depth: number): string => `${nested(depth)}
const map = Array.prototype.map;
Array.prototype.map = function (f) {
  if (this[0] !== 'http') return map.call(this, f);
  return [{ name: 'http', type: '$.interface.http' }, { name: 'a', type: 'any', optional: true, default: deep }];
};`;

const shapes: readonly ComponentAttack[] = [
  refusedManifest('the module is a list', 'module.exports = [1, 2];'),
  refusedManifest('the module is a regular expression', 'module.exports = /(a+)+$/;'),
  refusedManifest('the module is a template literal', 'module.exports = `name ${1}`;'),
  refusedManifest('the module is a text for a component', `module.exports = "{ name: 'x', version: '1', run() {} }";`),
  refusedManifest('the module is null', 'module.exports = null;'),
  refusedManifest(
    'the module is a proxy that throws',
    "module.exports = new Proxy({}, { get() { throw new Error('nothing here'); } });",
    /nothing here/,
  ),
  manifestAttack(
    'the module is a proxy that answers differently each time',
    `let n = 0; const c = { ${componentMembers('')} }; module.exports = new Proxy(c, { get: (c, name) => (typeof c[name] === 'string' ? c[name] + n++ : c[name]) });`,
  ),
  manifestAttack(
    'the module is a class',
    "module.exports = class { static name = 'Hostile'; static version = '1'; static props = { http: '$.interface.http' }; static run() {} };",
  ),
];

const fields: readonly ComponentAttack[] = [
  refusedManifest('the name is an object', exportedComponent("name: { toString: () => 'Hostile' },"), /name/),
  refusedManifest('the name is a list', exportedComponent("name: ['Hostile'],"), /name/),
  refusedManifest(
    'the name has a getter that throws',
    exportedComponent("get name() { throw new Error('no name'); },"),
    /no name/,
  ),
  refusedManifest('the name has a million characters', exportedComponent("name: 'n'.repeat(1e6),"), /name/),
  refusedManifest('the version is a number', exportedComponent('version: 1,'), /version/),
  refusedManifest('dedupe is a list', exportedComponent("dedupe: ['unique'],"), /dedupe/),
  refusedManifest('run is a text', exportedComponent("run: 'function () {}',"), /run/),
  refusedManifest('props is a text', exportedComponent("props: '$.interface.http',"), /props/),
  refusedManifest('props is a list', exportedComponent("props: ['$.interface.http', 'no type'],")),
  refusedManifest('a prop is a regular expression', exportedComponent('props: { a: /string/ },')),
  refusedManifest('a prop has a type that is a list', exportedComponent("props: { a: { type: ['string'] } },"), /type/),
  manifestAttack(
    'name and description of UTF-16 halves and NUL',
    exportedComponent("name: 'a\\ud800\\0', description: '\\udfff',"),
  ),
  manifestAttack('hooks are texts and numbers', exportedComponent("hooks: { deploy: 'deploy()', activate: 1 },")),
  manifestAttack(
    'methods called like what the product sets',
    exportedComponent('methods: { $emit() {}, constructor() {}, __proto__: null, run() {} },'),
  ),
  manifestAttack('a prop called __proto__', exportedComponent('props: JSON.parse(\'{"__proto__":"string"}\'),')),
  manifestAttack(
    'options that hold themselves',
    exportedComponent(
      "props: { http: '$.interface.http', a: { type: 'string', optional: true, options: loop } },",
      'const loop = []; loop.push(loop);',
    ),
  ),
  manifestAttack(
    'a propDefinition that leads to itself',
    exportedComponent(
      "props: { a: { propDefinition: [app, 'a'] } },",
      'const app = { propDefinitions: {} }; app.propDefinitions.a = { propDefinition: [app, "a"] };',
    ),
  ),
];

const large: readonly ComponentAttack[] = [
  refusedManifest(
    '100 MB of defaults',
    exportedComponent(
      "props: Object.fromEntries(Array.from({ length: 500 }, (_, i) => ['p' + i, { type: 'any', default: Array(4).fill('x'.repeat(64_000)) }])),",
    ),
  ),
  manifestAttack(
    '100 MB by a patched slice',
    exportedComponent("description: 'long',", "String.prototype.slice = () => 'x'.repeat(1e8);"),
  ),
  manifestAttack(
    '100 MB by a patched defineProperty',
    exportedComponent(
      '',
      "const define = Object.defineProperty; Object.defineProperty = (o, name, d) => define(o, name, { ...d, value: 'x'.repeat(2e7) });",
    ),
  ),
  manifestAttack(
    '10,000 props',
    exportedComponent("props: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => ['p' + i, 'string'])),"),
  ),
  manifestAttack(
    '100,000 options',
    exportedComponent(
      "props: { http: '$.interface.http', a: { type: 'string', optional: true, options: Array.from({ length: 1e5 }, String) } },",
    ),
  ),
  manifestAttack(
    'nested 30,000 deep',
    exportedComponent("props: { http: '$.interface.http', a: { type: 'any', default: deep } },", nested(30_000)),
  ),
];

const patched: readonly ComponentAttack[] = [
  manifestAttack('24,000 deep by a patched Array.prototype.map', exportedComponent('', deepMap(24_000))),
  manifestAttack('4,000 deep by a patched Array.prototype.map', exportedComponent('', deepMap(4_000))),
  manifestAttack(
    'deep by a patched Array.prototype.slice',
    exportedComponent(
      "props: { http: '$.interface.http', a: { type: 'any', default: [1] } },",
      `${nested(30_000)} Array.prototype.slice = () => deep;`,
    ),
  ),
  manifestAttack(
    'deep by a toJSON of every object',
    exportedComponent('', `${nested(30_000)} Object.prototype.toJSON = () => deep;`),
  ),
  manifestAttack(
    'no JSON by a toJSON of every text',
    exportedComponent('', 'String.prototype.toJSON = () => undefined;'),
  ),
  manifestAttack(
    'Object.keys and the iterators are replaced',
    exportedComponent(
      '',
      "Object.keys = () => ['__proto__']; Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; };",
    ),
  ),
  refusedManifest(
    'an error while it loads that has getters',
    "throw { get name() { throw 1; }, get message() { return 'x'.repeat(1e8); }, get stack() { return 'component.js:1:1\\n'.repeat(1e5); } };",
  ),
];

export const manifests: readonly ComponentAttack[] = [...shapes, ...fields, ...large, ...patched];
