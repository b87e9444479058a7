// Hostile lines of console and hostile errors, which a run's record shows to its author.
import type { ComponentAttack } from '../attack.ts';
import { component, runAttack } from '../attack.ts';
import { nested } from './emit.ts';

const printAttack = (
  name: string,
  run: string,
  said: Parameters<typeof runAttack>[2] = { run: 'succeeded' },
): ComponentAttack => runAttack(`console: ${name}`, { run }, said);
const throwAttack = (name: string, run: string, error?: RegExp): ComponentAttack =>
  runAttack(`error: ${name}`, { run }, { run: 'failed', ...(error === undefined ? {} : { error }) });

/** Code as long as a deploy accepts, whose source map has hundreds of thousands of places. */
const longText = (): string =>
  component({
    before: `const big = [${'1,'.repeat(225_000)}1];`,
    run: "for (let at = 0; at < 100; at++) console.log('component.js:1:1');",
  });

export const consoles: readonly ComponentAttack[] = [
  {
    kind: 'component',
    name: 'console: component.js:1:1 a hundred times in 460 KB of code',
    code: longText,
    expected: { run: 'succeeded', console: /component\.js/ },
  },
  {
    kind: 'component',
    name: 'console: stacks of a hundred errors in 460 KB of code',
    code: () => longText().replace("console.log('component.js:1:1')", "console.log(new Error('x').stack)"),
    expected: { run: 'succeeded' },
  },
  printAttack('100,000 lines', "for (let at = 0; at < 1e5; at++) console.log('line', at);"),
  printAttack('a million empty lines', 'for (let at = 0; at < 1e6; at++) console.log();', {}),
  printAttack('a line of 100 MB', "console.log('x'.repeat(1e8));", {}),
  printAttack(
    'component.js:1:1 in every line of 256 KB',
    "console.log('    at f (component.js:1:1)\\n'.repeat(10_000));",
  ),
  printAttack('one line of many places', "console.log('component.js:1:1 '.repeat(15_000));"),
  printAttack(
    'an inspect of its own that throws',
    "console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('not shown'); } });",
  ),
  printAttack(
    'a proxy that throws',
    "console.log(new Proxy({}, { get() { throw new Error('no'); }, ownKeys() { throw new Error('no'); } }));",
    {},
  ),
  printAttack(
    'getters that never end',
    'console.log({ get a() { for (;;) {} } }, { toString() { for (;;) {} } }); console.log(`${{ toString() { for (;;) {} } }}`);',
    { run: 'failed' },
  ),
  printAttack(
    'lists nested 30,000 deep',
    `${nested(30_000)} console.log(deep); console.dir(deep, { depth: null });`,
    {},
  ),
  printAttack(
    'formats with objects for texts',
    "console.log('%s %d %i %f %j %o %O %c', {}, 'x', [], null, undefined, Symbol('s')); console.log('%'.repeat(1e5), 1);",
  ),
  printAttack(
    'halves of UTF-16 pairs, NUL and escapes',
    "console.log('\\ud800', '\\udfff', '\\0', '\\u001b[31m\\u0007'); console.log({ '\\ud800': '\\udc00' });",
  ),
  printAttack('a regular expression of 100,000 characters', "console.log(new RegExp('a'.repeat(1e5)), /(a+)+$/);"),
  printAttack('groups 100,000 deep', "for (let at = 0; at < 1e5; at++) console.group('g');"),
  printAttack(
    'labels without end',
    "for (let at = 0; at < 1e5; at++) { console.count('c' + at); console.time('t' + at); }",
  ),
  printAttack(
    'the methods of texts are replaced',
    "String.prototype.slice = String.prototype.replaceAll = () => { throw new Error('no slice'); }; console.log('line');",
    {},
  ),
];

export const errors: readonly ComponentAttack[] = [
  throwAttack(
    'getters that throw',
    'throw { get name() { throw 1; }, get message() { throw 2; }, get stack() { throw 3; } };',
  ),
  throwAttack('getters that never end', 'throw { get message() { for (;;) {} } };'),
  throwAttack('a message of 100 MB', "throw new Error('m'.repeat(1e8));", /m{100}/),
  throwAttack(
    'a stack of 100,000 lines of component.js:1:1',
    "throw Object.assign(new Error('long'), { stack: '    at f (component.js:1:1)\\n'.repeat(1e5) });",
    /long/,
  ),
  throwAttack(
    'a name that is an object',
    "throw Object.assign(new Error('named'), { name: { toString: () => 'n'.repeat(1e7) } });",
    /named/,
  ),
  throwAttack(
    'a message that is a list, a stack that is a number',
    "throw { name: 1, message: ['a', ['b']], stack: 2 };",
    /a,b/,
  ),
  throwAttack('a cause that is the error itself', "const e = new Error('loop'); e.cause = e; throw e;", /loop/),
  throwAttack(
    'causes 30,000 deep',
    "let e = new Error('0'); for (let at = 0; at < 30_000; at++) e = new Error('deep', { cause: e }); throw e;",
    /deep/,
  ),
  throwAttack(
    '30,000 errors in one',
    "throw new AggregateError(Array.from({ length: 30_000 }, () => new Error('x')), 'all of them');",
    /all of them/,
  ),
  throwAttack('null', 'throw null;'),
  throwAttack('a symbol', "throw Symbol('thrown');", /thrown/),
  throwAttack('a function', 'throw function hostile() {};'),
  throwAttack('a regular expression', 'throw /(a+)+$/;'),
  throwAttack('a template literal', 'throw `${"a".repeat(20)}`;', /a{20}/),
  throwAttack(
    'a proxy that throws',
    "throw new Proxy(new Error('x'), { get() { throw new Error('no'); }, getPrototypeOf() { throw new Error('no'); } });",
  ),
  throwAttack(
    'halves of UTF-16 pairs and NUL',
    "throw Object.assign(new Error('half \\ud800\\0'), { name: '\\udfff' });",
    /half/,
  ),
  throwAttack('a text that throws', "throw { toString() { throw new Error('no text'); } };"),
  throwAttack(
    'a stack made by a hook of its own',
    "Error.prepareStackTrace = (_, sites) => { for (;;) sites.push(1); }; throw new Error('hooked');",
  ),
  runAttack(
    'error: promises that nobody waits for',
    { run: "for (let at = 0; at < 10_000; at++) Promise.reject(new Error('lost'));" },
    {},
  ),
];
