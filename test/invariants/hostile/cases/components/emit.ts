// Hostile emits: their content, their metadata, and their number.
import type { ComponentAttack } from '../attack.ts';
import { runAttack } from '../attack.ts';

/** The errors for too deep nesting: the product's, V8's, or that serializing took too long. */
export const tooDeep = /deep|nest|depth|level|stack|computed for more than/i;

/** Code for a value of so many nested arrays, made without recursion. */
export const nested = (depth: number): string => `let deep = []; for (let at = 1; at < ${depth}; at++) deep = [deep];`;

const content: readonly ComponentAttack[] = [
  runAttack(
    'emit: a getter that throws',
    { run: "this.$emit({ get a() { throw new Error('from the getter'); } });" },
    {
      run: 'failed',
      error: /from the getter/,
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: a getter that counts its reads',
    { run: 'let n = 0; this.$emit({ get a() { return ++n; } });' },
    {
      run: 'succeeded',
      eventCount: 1,
    },
  ),
  runAttack(
    'emit: a proxy whose every field is itself',
    {
      run: "const p = new Proxy({}, { get: () => p, ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }); this.$emit(p);",
    },
    { run: 'failed', eventCount: 0 },
  ),
  runAttack(
    'emit: a proxy of a list that claims a thousand million items',
    { run: "this.$emit(new Proxy([], { get: (_, name) => (name === 'length' ? 1e9 : 0) }));" },
    {
      run: 'failed',
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: a revoked proxy',
    { run: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); this.$emit(proxy);' },
    {
      run: 'failed',
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: a list with four thousand million holes',
    { run: 'this.$emit(new Array(2 ** 32 - 1));' },
    {
      run: 'failed',
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: an object that holds itself',
    { run: 'const a = {}; a.a = a; this.$emit(a);' },
    {
      run: 'failed',
      error: /circular/i,
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: a toJSON that gives a function',
    { run: 'this.$emit({ toJSON: () => () => 1 });' },
    {
      run: 'succeeded',
      events: [null],
    },
  ),
  runAttack(
    'emit: a toJSON that throws',
    { run: "this.$emit({ toJSON() { throw new Error('from toJSON'); } });" },
    {
      run: 'failed',
      error: /from toJSON/,
      eventCount: 0,
    },
  ),
  runAttack('emit: a BigInt', { run: 'this.$emit({ a: 1n });' }, { run: 'failed', error: /BigInt/, eventCount: 0 }),
  runAttack(
    'emit: nested 24,000 deep',
    { run: `${nested(24_000)} this.$emit(deep);` },
    {
      run: 'failed',
      error: tooDeep,
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: nested 300 deep',
    { run: `${nested(300)} this.$emit(deep);` },
    {
      run: 'failed',
      error: tooDeep,
      eventCount: 0,
    },
  ),
  runAttack('emit: nested 200 deep', { run: `${nested(200)} this.$emit(deep);` }, { run: 'succeeded', eventCount: 1 }),
  runAttack('emit: halves of UTF-16 pairs in value and name', { run: "this.$emit({ '\\udc00': '\\ud800' });" }, {}),
  runAttack('emit: NUL in value and name', { run: "this.$emit({ 'a\\0b': '\\0' });" }, {}),
  runAttack(
    'emit: a field called __proto__',
    { run: `this.$emit(JSON.parse('{"__proto__":{"admin":true},"a":1}'));` },
    {},
  ),
  runAttack(
    'emit: fields called like those of every object',
    { run: "this.$emit({ constructor: 'x', hasOwnProperty: 1, toString: 2 });" },
    {
      run: 'succeeded',
      events: [{ constructor: 'x', hasOwnProperty: 1, toString: 2 }],
    },
  ),
  runAttack(
    'emit: numbers that JSON does not have',
    { run: 'this.$emit([NaN, Infinity, -0]);' },
    {
      run: 'succeeded',
      events: [[null, null, 0]],
    },
  ),
  runAttack(
    'emit: an event of 513 KiB',
    { run: 'this.$emit(`${"x".repeat(513 * 1024)}`);' },
    {
      run: 'failed',
      error: /524288|512 KiB/,
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: fifty events of half a mebibyte, each refusal caught',
    { run: "for (let at = 0; at < 50; at++) try { this.$emit('x'.repeat(500 * 1024)); } catch {}" },
    {
      run: 'succeeded',
      console: /Event dropped/,
    },
  ),
];

const about: readonly ComponentAttack[] = [
  runAttack(
    'emit: an id whose text is 100 MB',
    { run: "this.$emit(1, { id: { toString: () => 'x'.repeat(1e8) } });" },
    {
      run: 'failed',
      error: /id/,
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: a name that is a regular expression',
    { run: 'this.$emit(1, { name: /(a+)+$/ });' },
    {
      run: 'succeeded',
      eventCount: 1,
    },
  ),
  runAttack(
    'emit: a name whose text throws',
    { run: "this.$emit(1, { name: { toString() { throw new Error('no name'); } } });" },
    {
      run: 'failed',
      error: /the name is text/,
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: a name of 100,000 characters',
    { run: "this.$emit(1, { name: 'n'.repeat(100_000) });" },
    {
      run: 'failed',
      error: /name/,
      eventCount: 0,
    },
  ),
  runAttack(
    'emit: a name and a summary of UTF-16 halves and NUL',
    { run: "this.$emit(1, { name: '\\ud800\\0', summary: '\\udfff\\0' });" },
    {},
  ),
  runAttack(
    'emit: a summary of 100 MB',
    { run: "this.$emit(1, { summary: 'x'.repeat(1e8) });" },
    {
      run: 'succeeded',
      eventCount: 1,
    },
  ),
  runAttack(
    'emit: times that are no times',
    {
      run: "for (const ts of [NaN, 1e300, -1e300, 'never', {}, [], true, Symbol.iterator.description]) this.$emit(1, { ts });",
    },
    {},
  ),
  runAttack(
    'emit: about it a proxy that throws',
    { run: "this.$emit(1, new Proxy({}, { get() { throw new Error('nothing about it'); } }));" },
    {
      run: 'failed',
      error: /nothing about it/,
      eventCount: 0,
    },
  ),
];

const number: readonly ComponentAttack[] = [
  runAttack('emit: 10,000 events', { run: 'for (let at = 0; at < 10_000; at++) this.$emit({ at });' }, {}),
  runAttack('emit: 10,001 events', { run: 'for (let at = 0; at <= 10_000; at++) this.$emit(at);' }, { run: 'failed' }),
  runAttack(
    'emit: a million events, each refusal caught',
    { run: 'for (let at = 0; at < 1e6; at++) try { this.$emit(0); } catch {}' },
    {},
  ),
  runAttack(
    'emit: after the run has ended',
    { run: 'setTimeout(() => this.$emit(1), 50);' },
    { run: 'succeeded', eventCount: 0, console: /ended before 1 timer .* is dropped/ },
  ),
];

const patched: readonly ComponentAttack[] = [
  runAttack(
    'emit: JSON.stringify is replaced',
    { run: "JSON.stringify = () => 'no json'; this.$emit({ a: 1 });" },
    {
      run: 'succeeded',
      events: [{ a: 1 }],
    },
  ),
  runAttack(
    'emit: every text has a toJSON',
    { run: 'String.prototype.toJSON = () => 5; this.$emit({ a: 1 });' },
    {
      run: 'succeeded',
      events: [{ a: 1 }],
    },
  ),
  runAttack(
    'emit: the iterators of lists and texts are replaced',
    {
      run: "Array.prototype[Symbol.iterator] = String.prototype[Symbol.iterator] = () => { throw new Error('no iterator'); }; this.$emit({ a: [1, 2] });",
    },
    {
      run: 'succeeded',
      events: [{ a: [1, 2] }],
    },
  ),
];

export const emits: readonly ComponentAttack[] = [...content, ...about, ...number, ...patched];
