// Draws odd components statement by statement, so that a failing one can be shrunk.
import fc from 'fast-check';

/** Expressions of JavaScript. */
const values = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    'undefined',
    'NaN',
    '-0',
    '10n',
    'Symbol("s")',
    '() => 1',
    'new Proxy({}, {})',
    'new Map([[1, 2]])',
    'new Date(NaN)',
    '({ toJSON() { throw new Error("json") } })',
    '({ get a() { throw null } })',
    'Object.create(null)',
    'globalThis',
    '"\\ud800"',
    '"\\u0000"',
    'new Error("e")',
    'Promise.reject(1)',
    'new Uint8Array(1000)',
    'arguments',
    'this',
    'cyclic',
    'Object.defineProperty(new Error("x"), "stack", { get() { throw 1 } })',
    '({ __proto__: null, then: 1 })',
  ),
  fc.nat(50_000).map((depth) => `deep(${depth})`),
  fc.nat(600_000).map((length) => `"x".repeat(${length})`),
  fc.nat(30_000).map((count) => `Array(${count}).fill("component.js:1:1").join("\\n")`),
);

const statement = (make: (value: string, other: string) => string): fc.Arbitrary<string> =>
  fc.tuple(values, values).map(([value, other]) => make(value, other));

const statements = fc.oneof(
  statement((value, other) => `this.$emit(${value}, ${other})`),
  statement(
    (value, other) => `this.$emit(${value}, { id: ${other}, name: ${other}, ts: ${other}, summary: ${value} })`,
  ),
  statement((value, other) => `console.log(${value}, ${other})`),
  statement((value, other) => `console.error(${value}, ${other})`),
  statement((value, other) => `this.db.set(${value}, ${other})`),
  statement((value) => `this.db.set("k", ${value})`),
  statement((value) => `this.http.respond({ status: 200, body: ${value} })`),
  statement((value, other) => `this.http.respond({ status: 404, headers: { a: ${value}, [${other}]: "b" } })`),
  statement((value) => `this.http.respond(${value})`),
  statement((value) => `setTimeout(${value}, ${value})`),
  statement((value) => `Promise.reject(${value})`),
  statement((value) => `throw ${value}`),
  statement((value) => `Array.prototype.map = () => ${value}`),
  statement((value) => `JSON.stringify = () => ${value}`),
  statement((value) => `Object.prototype.toJSON = () => ${value}`),
  statement((value) => `Array.prototype[Symbol.iterator] = () => ${value}`),
  statement((value) => `Object.defineProperty(Object.prototype, "get", { value: ${value}, configurable: true })`),
);

const bodies = fc
  .array(statements, { maxLength: 5 })
  .map((all) => all.map((one) => (one.startsWith('throw') ? one : `try { ${one} } catch {}`)).join(';\n    '));

const rarely = <T>(usual: T, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });

/** The code of a component; most can be deployed. */
export const components: fc.Arbitrary<string> = fc
  .record({
    before: rarely('', bodies),
    name: rarely('"Drawn"', values),
    version: rarely('"0.0.1"', values),
    props: rarely(
      '',
      fc
        .tuple(fc.constantFrom('a', '__proto__', 'http', 'x y'), values)
        .map(([key, value]) => `, ${JSON.stringify(key)}: ${value}`),
    ),
    more: rarely(
      '',
      values.map((value) => `methods: ${value}, dedupe: ${value},`),
    ),
    hook: rarely('', bodies),
    run: bodies,
    after: rarely('', fc.constantFrom('[[[[', '}', '/*', '`${', '/(/', '\u2028')),
  })
  .map(
    ({ before, name, version, props, more, hook, run, after }) => `
const deep = (depth) => { let value = 1; for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value }; return value; };
const cyclic = {}; cyclic.self = [cyclic];
(function () { ${before} }).call({});
module.exports = {
  name: ${name}, version: ${version}, ${more}
  props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db'${props} },
  hooks: { deploy() { ${hook} } },
  run() {
    try { this.http.respond({ status: 200 }) } catch {}
    ${run}
  },
};${after}`,
  );
