// Hostile values of props: of another type, too large, too deep, and secrets that are hard to find again.
import type { ComponentAttack, Expectation } from '../attack.ts';
import { component } from '../attack.ts';

const declared = `
    count: { type: 'integer', optional: true }, flag: { type: 'boolean', optional: true },
    list: { type: 'string[]', optional: true }, any: { type: 'any', optional: true },
    text: { type: 'string', optional: true },`;

const propsAttack = (name: string, props: Record<string, unknown>, said: Expectation): ComponentAttack => ({
  kind: 'component',
  name: `props: ${name}`,
  code: () => component({ props: declared }),
  props,
  expected: said,
});
const invalidProps = (name: string, props: Record<string, unknown>): ComponentAttack =>
  propsAttack(name, props, { deploy: 'refused', code: 'props_invalid' });
const refusedProps = (name: string, props: Record<string, unknown>): ComponentAttack =>
  propsAttack(name, props, { deploy: 'refused', code: 'invalid_request' });

let deep: unknown = 1;
for (let at = 0; at < 300; at++) deep = [deep];

const values: readonly ComponentAttack[] = [
  invalidProps('a text for a number', { count: '5' }),
  invalidProps('an object for a list', { list: { 0: 'a', length: 1 } }),
  invalidProps('a list for a text', { text: ['a'] }),
  invalidProps('a text for a boolean', { flag: 'true' }),
  invalidProps('a number that no integer can hold', { count: 1e300 }),
  invalidProps('names that were never declared', { toString: 1, constructor: 2, hasOwnProperty: 3 }),
  invalidProps(
    'a thousand names that were never declared',
    Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`p${n}`, n])),
  ),
  invalidProps('a value of 65 KiB', { text: 'x'.repeat(65 * 1024) }),
  refusedProps('nested 300 deep', { any: deep }),
  refusedProps('a half of a UTF-16 pair', { text: '\ud800' }),
  refusedProps('a half of a UTF-16 pair as a name', { '\udfff': 1 }),
  refusedProps('NUL', { text: 'a\0b' }),
  refusedProps('a value that claims to be sealed', { any: { $sealed: 'AAAA' } }),
  refusedProps("a name of the product's own", { $auth: 1 }),
  propsAttack(
    'JSON names that every object has, within a value',
    { any: { constructor: 1, toString: 2 } },
    { run: 'succeeded' },
  ),
];

const secretAttack = (name: string, value: string, run: string, never: RegExp): ComponentAttack => ({
  kind: 'component',
  name: `secret: ${name}`,
  code: () => component({ props: "token: { type: 'string', secret: true },", run }),
  props: { token: value },
  expected: { never },
});

const manyLetters = 'a'.repeat(15_000);

const secrets: readonly ComponentAttack[] = [
  secretAttack(
    'of 15,000 times one letter, beside 250 KB of it',
    manyLetters,
    "console.log('a'.repeat(250_000));",
    /a{15000}/,
  ),
  secretAttack(
    'of 15,000 times one letter, beside it all but its last',
    manyLetters,
    "for (let at = 0; at < 16; at++) console.log('a'.repeat(14_999) + 'b');",
    /a{15000}/,
  ),
  secretAttack(
    'that is a regular expression',
    '(a+)+$.*[^]{}|\\',
    'console.log(this.token, "a".repeat(50)); throw new Error(this.token);',
    /\(a\+\)\+\$\.\*/,
  ),
  secretAttack('printed as bytes', 'sesame-open-now', 'console.log(Buffer.from(this.token));', /73 65 73 61 6d 65 2d/),
  secretAttack(
    'thrown as name, message and stack',
    'sesame-open-now',
    "throw Object.assign(new Error(this.token), { name: this.token, stack: 'at ' + this.token });",
    /sesame-open-now/,
  ),
  secretAttack(
    'at the place where the console is cut',
    'sesame-open-now',
    "console.log('x'.repeat(256 * 1024 - 8) + this.token);",
    /sesame-o/,
  ),
  secretAttack(
    'encoded as base64, hex and for a URL',
    'sesame open+now/?',
    "console.log(btoa(this.token), Buffer.from(this.token).toString('hex'), encodeURIComponent(this.token));",
    /c2VzYW1lIG9wZW4|736573616d65206f|sesame%20open/,
  ),
];

/** A cookie as long as a request's head can be, with a body that the component prints. */
const cookie: ComponentAttack = {
  kind: 'component',
  name: 'secret: a cookie of 15 KB of one letter, beside a printed body of 250 KB of it',
  code: () => component({ run: 'console.log(event.body);' }),
  requests: [
    {
      headers: { cookie: manyLetters, 'content-type': 'text/plain' },
      body: () => 'a'.repeat(125_000) + `${'a'.repeat(14_999)}b`.repeat(8),
    },
  ],
  expected: { run: 'succeeded', never: /a{15000}/ },
};

/** As many different lengths as the pieces of a secret can have. */
const alike = Array.from({ length: 27 }, (_, n) => `k=${'a'.repeat(6)}${'b'.repeat(n)}`).join('; ');

const cookies: ComponentAttack = {
  kind: 'component',
  name: 'secret: a cookie of 27 values that begin alike, beside a printed body of 250 KB of their beginning',
  code: () => component({ run: 'console.log(event.body);' }),
  requests: [{ headers: { cookie: alike, 'content-type': 'text/plain' }, body: () => 'a'.repeat(250_000) }],
  expected: { run: 'succeeded', never: /a{7}/ },
};

export const props: readonly ComponentAttack[] = [...values, ...secrets, cookie, cookies];
