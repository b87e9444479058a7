// Hostile db values and keys: once written, they are on the log, and every later start reads them.
import type { ComponentAttack } from '../attack.ts';
import { component, db, runAttack } from '../attack.ts';
import { nested, tooDeep } from './emit.ts';

const dbAttack = (name: string, run: string, said: Parameters<typeof runAttack>[2]): ComponentAttack =>
  runAttack(`db: ${name}`, { props: db, run }, said);

const refused = 'failed' as const;

const values: readonly ComponentAttack[] = [
  dbAttack('lists nested 24,000 deep', `${nested(24_000)} this.db.set('deep', deep);`, {
    run: refused,
    error: tooDeep,
  }),
  dbAttack(
    'objects nested 10,000 deep',
    "let deep = {}; for (let at = 0; at < 10_000; at++) deep = { a: deep }; this.db.set('deep', deep);",
    {
      run: refused,
      error: tooDeep,
    },
  ),
  dbAttack(
    'nested 24,000 deep, the refusal caught',
    `${nested(24_000)} try { this.db.set('deep', deep); } catch {}`,
    {},
  ),
  dbAttack('nested 200 deep', `${nested(200)} this.db.set('deep', deep);`, { run: 'succeeded' }),
  dbAttack('deep by a toJSON', `${nested(24_000)} this.db.set('deep', { toJSON: () => deep });`, {
    run: refused,
    error: tooDeep,
  }),
  dbAttack('a getter that throws', "this.db.set('a', { get a() { throw new Error('from the getter'); } });", {
    run: refused,
    error: /from the getter/,
  }),
  dbAttack(
    'a proxy of an endless list',
    "this.db.set('a', new Proxy([], { get: (_, name) => (name === 'length' ? 1e9 : 0) }));",
    {
      run: refused,
    },
  ),
  dbAttack('a value of 65 KiB', "this.db.set('a', 'x'.repeat(65 * 1024));", { run: refused, error: /65536|64 KiB/ }),
  dbAttack('a value of 60 KiB that its escapes make large', "this.db.set('a', '\\u0001'.repeat(60 * 1024));", {
    run: refused,
    error: /65536|64 KiB/,
  }),
  dbAttack(
    'values of 500 KiB together',
    "for (let at = 0; at < 10; at++) this.db.set(String(at), 'x'.repeat(50 * 1024));",
    {
      run: refused,
      error: /393216|384 KiB/,
    },
  ),
  dbAttack(
    'halves of UTF-16 pairs in value and key',
    "this.db.set('\\ud800', '\\udc00'); this.db.set('\\ud801', { '\\udfff': 1 });",
    {},
  ),
  dbAttack('NUL in value and key', "this.db.set('a\\0b', '\\0');", {}),
  dbAttack(
    'functions, symbols and BigInt',
    "this.db.set('f', () => 1); this.db.set('s', Symbol('s')); this.db.set('n', 1n);",
    {
      run: refused,
      error: /BigInt/,
    },
  ),
  dbAttack(
    'a template literal, a regular expression and a date',
    'this.db.set(`a${1}`, /(a+)+$/); this.db.set("d", new Date(NaN));',
    {
      run: 'succeeded',
    },
  ),
];

const keys: readonly ComponentAttack[] = [
  dbAttack(
    'keys of 500,000 characters deleted in a loop',
    "for (let at = 0; at < 5_000; at++) this.db.set('k'.repeat(500_000) + at, undefined);",
    {},
  ),
  dbAttack('keys of a million characters', "this.db.set('k'.repeat(1e6), 1);", { run: refused }),
  dbAttack('10,001 writes', "for (let at = 0; at <= 10_000; at++) this.db.set('a', at);", {
    run: refused,
    error: /10000|10,000/,
  }),
  dbAttack('20,000 keys', "for (let at = 0; at < 20_000; at++) try { this.db.set('key' + at, at); } catch {}", {
    run: 'succeeded',
  }),
  dbAttack('a key whose text throws', "this.db.set({ toString() { throw new Error('no key'); } }, 1);", {
    run: refused,
    error: /no key/,
  }),
  dbAttack(
    'keys that are objects, lists and numbers',
    'this.db.set({}, 1); this.db.set([], 2); this.db.set(-0, 3); this.db.set(null, 4); this.db.set(Symbol("s"), 5);',
    {},
  ),
  {
    kind: 'component',
    name: 'db: a key called __proto__ is a key',
    code: () =>
      component({
        props: db,
        run: "this.$emit({ had: this.db.get('__proto__') ?? null }); this.db.set('__proto__', { a: 1 });",
      }),
    requests: [{}, {}],
    expected: { run: 'succeeded', events: [{ had: null }, { had: { a: 1 } }] },
  },
];

const patched: readonly ComponentAttack[] = [
  dbAttack(
    'Map, JSON and Object are replaced',
    "Map.prototype.set = Map.prototype.get = () => 'x'; JSON.stringify = JSON.parse = () => 'x'; Object.keys = () => []; this.db.set('a', { b: 1 }); this.$emit(this.db.get('a'));",
    {
      run: 'succeeded',
      events: [{ b: 1 }],
    },
  ),
  dbAttack(
    'every object has a toJSON that is deep',
    `${nested(24_000)} Object.prototype.toJSON = () => deep; try { this.db.set('a', {}); } finally { delete Object.prototype.toJSON; }`,
    { run: refused },
  ),
  dbAttack(
    'every number has a toJSON that is no JSON',
    "Number.prototype.toJSON = () => 'no number'; this.db.set('a', 1);",
    { run: 'succeeded' },
  ),
];

export const dbs: readonly ComponentAttack[] = [...values, ...keys, ...patched];
