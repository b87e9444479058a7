// Hostile answers to requests: statuses, headers and bodies that HTTP does not allow.
import type { ComponentAttack, ExpectedRun } from '../attack.ts';
import { customResponseProp, component } from '../attack.ts';

/** 200 by default; 500 if the run must fail before it responds. */
function respondAttack(
  name: string,
  run: string,
  said: ExpectedRun,
  statuses: readonly number[] = [200],
): ComponentAttack {
  return {
    kind: 'component',
    name: `respond: ${name}`,
    code: () => component({ http: customResponseProp, run }),
    requests: [{ statuses }],
    expected: said,
  };
}
const failingRespond = (name: string, run: string, error?: RegExp): ComponentAttack =>
  respondAttack(name, run, { run: 'failed', ...(error === undefined ? {} : { error }) }, [500]);

const well: ExpectedRun = { run: 'succeeded' };

export const responses: readonly ComponentAttack[] = [
  respondAttack('5 MiB', "this.http.respond({ body: 'x'.repeat(5 * 1024 * 1024) });", well),
  respondAttack('5 MiB of two-byte characters', "this.http.respond({ body: 'ä'.repeat(2.5 * 1024 * 1024) });", well),
  failingRespond('6 MiB', "this.http.respond({ body: 'x'.repeat(6 * 1024 * 1024) });", /body/),
  failingRespond('6 MiB of bytes', 'this.http.respond({ body: new Uint8Array(6 * 1024 * 1024) });'),
  respondAttack(
    '5 MiB a hundred times',
    "for (let at = 0; at < 100; at++) this.http.respond({ body: 'x'.repeat(5 * 1024 * 1024) });",
    {},
    [200, 500],
  ),
  respondAttack(
    'bytes that lie about their length',
    "const b = new Uint8Array(8); Object.defineProperty(b, 'byteLength', { value: 1e12 }); Object.defineProperty(b, 'length', { value: 1e12 }); this.http.respond({ body: b });",
    {},
    [200, 500],
  ),
  failingRespond(
    'a body with a getter that throws',
    "this.http.respond({ body: { get a() { throw new Error('from the body'); } } });",
    /from the body/,
  ),
  failingRespond(
    'a body that is a proxy of an endless list',
    "this.http.respond({ body: new Proxy([], { get: (_, name) => (name === 'length' ? 1e9 : 0) }) });",
  ),
  respondAttack('a body that is half of a UTF-16 pair', "this.http.respond({ body: '\\ud800' });", well),
  respondAttack('a body that is a regular expression', 'this.http.respond({ body: /(a+)+$/ });', well),
  failingRespond('a status that is a word', "this.http.respond({ status: 'fine' });", /status/),
  failingRespond('a status that is an object', 'this.http.respond({ status: { valueOf: () => 200 } });', /status/),
  failingRespond('a status of 99', 'this.http.respond({ status: 99 });', /status/),
  respondAttack(
    'a status of 101',
    'this.http.respond({ status: 101, headers: { upgrade: "websocket", connection: "upgrade" } });',
    well,
    [200],
  ),
  respondAttack('a header that ends its line', "this.http.respond({ headers: { 'x-a': 'a\\r\\nx-evil: 1' } });", well),
  respondAttack(
    'a header with a name that HTTP does not have',
    "this.http.respond({ headers: { 'bad name:': 'x' } });",
    well,
  ),
  respondAttack('a header outside of Latin 1', "this.http.respond({ headers: { 'x-a': '\\ud800\\u20ac' } });", well),
  failingRespond('a header of 1 MiB', "this.http.respond({ headers: { 'x-a': 'a'.repeat(1024 * 1024) } });", /header/),
  failingRespond(
    '100,000 headers',
    "this.http.respond({ headers: Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['x-' + i, 'a'])) });",
  ),
  respondAttack(
    'headers of the connection',
    "this.http.respond({ headers: { 'content-length': '5', 'transfer-encoding': 'chunked', connection: 'close', trailer: 'x', 'set-cookie': ['a=1', 'b=2'] }, body: 'body' });",
    well,
  ),
  respondAttack(
    'headers that are a list, an object for a value',
    "this.http.respond({ headers: ['a', 'b'] }); this.http.respond({ headers: { 'x-a': { toString: () => 'a' } } });",
    {},
    [200, 500],
  ),
  failingRespond(
    'a header whose text never ends',
    "this.http.respond({ headers: { 'x-a': { toString() { for (;;) {} } } } });",
  ),
];
