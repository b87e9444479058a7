// Transforms that do harm are ended for it, reveal nothing, and do not delay others.
import { until } from '../../../../test/support/until.ts';
import { transformerContract, transformOf } from '../../transformer.contract.ts';
import { IsolatedVmTransformer } from './isolated-vm-transformer.ts';

describe('the contract', () => {
  transformerContract(() => new IsolatedVmTransformer());
});

let transformer: IsolatedVmTransformer;
beforeAll(() => {
  transformer = new IsolatedVmTransformer();
});
afterAll(() => transformer.close());

let subscriptions = 0;
const transformed = async (text: string, workspace = 'o_1') =>
  transformer.transform({ ...transformOf(text), subscriptionId: `sub_own${subscriptions++}`, workspace });
const failedWith = (message: string) => ({
  kind: 'failed',
  error: { message: expect.stringContaining(message) as string },
});

test('no process starts before the first call', async () => {
  const unused = new IsolatedVmTransformer();
  expect(unused.processIds).toEqual([]);
  await unused.close();
});

test.each([
  ['a loop without an end', '() => { for (;;); }', '50 ms'],
  ['one before the function', '(() => { for (;;); })()', '50 ms'],
  ['promises without an end', '() => { (function f() { Promise.resolve().then(f); })(); return {}; }', '50 ms'],
  ['a regular expression', '() => ({ body: /^(a+)+$/.test("a".repeat(60) + "b") })', '50 ms'],
  ['recursion', '() => { const f = () => f() + 1; return { body: f() }; }', 'RangeError'],
  ['a large buffer', '() => ({ body: new ArrayBuffer(2 ** 30).byteLength })', 'RangeError'],
  ['a getter without an end', '() => ({ get body() { for (;;); } })', '50 ms'],
  ['a getter that throws', '() => ({ body: { get a() { throw new Error("got"); } } })', 'Error: got'],
  ['an error that cannot be shown', '() => { throw { get message() { throw 1; } }; }', 'cannot be shown'],
  ['a clock', '() => ({ body: Date.now() })', 'no clock'],
  ['a clock by another way', '() => ({ body: new (new Date(0).constructor)() })', 'no clock'],
  ['a clock without new', '() => ({ body: Date() })', 'no clock'],
  ['randomness', '() => ({ body: Math.random() })', 'no randomness'],
  ['dates of languages', '() => ({ body: Intl.DateTimeFormat().format() })', 'Intl is not defined'],
  ['a timer', '() => { setTimeout(() => {}, 1); }', 'setTimeout is not defined'],
  ['a network', '() => { fetch("https://example.com"); }', 'fetch is not defined'],
  ['a module', '() => { require("node:fs"); }', 'require is not defined'],
  ['a process', '() => ({ body: process.env })', 'process is not defined'],
  ['a console', '() => { console.log(1); }', 'console is not defined'],
  ['memory of its own', '() => { new WebAssembly.Memory({ initial: 60000 }); }', 'WebAssembly is not defined'],
  ['memory that is shared', '() => { new SharedArrayBuffer(8); }', 'SharedArrayBuffer is not defined'],
  ['memory that grows', '() => { new ArrayBuffer(8, { maxByteLength: 2 ** 29 }); }', 'Resizable ArrayBuffers'],
  ['a proxy for a result', '() => new Proxy({}, { ownKeys() { throw new Error("trap"); } })', 'Error: trap'],
])(
  '%s ends as a failure with a message',
  async (_what, text, message) => {
    expect(await transformed(text)).toMatchObject(failedWith(message));
  },
  60_000,
);

test('a transform cannot change built-ins, and keeps nothing from one call to the next', async () => {
  const text = `(event) => {
    JSON.stringify = () => '"forged"'; Array.isArray = () => true; String.prototype.slice = () => ({});
    Object.prototype.toJSON = () => 'forged'; RegExp.prototype.kept = 1; (function* () {}).constructor.prototype.kept = 1;
    globalThis.count = (globalThis.count ?? 0) + 1; undeclared = 1;
    const seen = [typeof count, typeof undeclared, RegExp.$1, /a/.kept, typeof __begin];
    /(b)/.exec('b');
    class Own extends Error { constructor(message) { super(message); this.name = 'Own'; } }
    const named = { toString: 1 }; named.valueOf = 2; event.constructor = 3;
    return { body: { seen, name: new Own('x').name, named } };
  }`;
  const call = { ...transformOf(text), subscriptionId: 'sub_same' };
  const body = {
    seen: ['undefined', 'undefined', null, null, 'undefined'],
    name: 'Own',
    named: { toString: 1, valueOf: 2 },
  };
  for (let time = 0; time < 3; time++)
    expect(await transformer.transform(call)).toEqual({ kind: 'sent', body: JSON.stringify(body), headers: {} });
  const counting = '(() => { let n = 0; return () => ({ body: ++n }); })()';
  const counts = { ...transformOf(counting), subscriptionId: 'sub_same' };
  for (let time = 0; time < 3; time++) expect(await transformer.transform(counts)).toMatchObject({ body: '1' });
  for (const broken of ['1)); globalThis.x = 1; (() => (1', '1); globalThis.x = 1; (1'])
    expect(await transformed(broken)).toMatchObject({ kind: 'failed' });
}, 60_000);

test.each([
  ['a list', '() => { const all = []; for (;;) all.push(new Array(1000).fill(1)); }'],
  ['a text', '() => ({ body: "a".repeat(2 ** 29 - 24) })'],
])(
  'a memory bomb of %s ends at most its process, and is not run again at once',
  async (_what, text) => {
    const call = { ...transformOf(text), subscriptionId: `sub_bomb${subscriptions++}` };
    expect(await transformer.transform(call)).toMatchObject({ kind: 'failed' });
    expect(await transformed('(event) => ({ body: event.n })')).toMatchObject({ body: '1' });
  },
  60_000,
);

test('the texts of many subscriptions stay in one process', async () => {
  const shared = new IsolatedVmTransformer();
  const sentBy = async (n: number): Promise<void> => {
    const call = { ...transformOf(`() => ({ body: ${n} })`), subscriptionId: `sub_shared${n}` };
    expect(await shared.transform(call)).toMatchObject({ kind: 'sent', body: String(n) });
  };
  await sentBy(0);
  const first = shared.processIds;
  for (let round = 0; round < 2; round++) for (let n = 0; n < 120; n++) await sentBy(n);
  expect(shared.processIds).toEqual(first);
  await shared.close();
}, 60_000);

test('ten thousand calls do not leak memory', async () => {
  const call = transformOf('({ n }) => ({ body: { n, text: "x".repeat(1000) } })');
  for (let n = 0; n < 10_000; n += 100)
    for (const result of await Promise.all(Array.from({ length: 100 }, () => transformer.transform(call))))
      expect(result).toMatchObject({ kind: 'sent' });
}, 60_000);

test('transforms that use all their time do not keep those of other workspaces waiting', async () => {
  let over = false;
  let slowEnds = 0;
  const slow = async (n: number): Promise<void> => {
    const call = { ...transformOf('() => { for (;;); }'), subscriptionId: `sub_slow${n}`, workspace: `o_slow${n}` };
    for (; !over; slowEnds++) await transformer.transform(call);
  };
  const load = Array.from({ length: 8 }, (_, n) => slow(n));
  await until('each to be known for slow', () => slowEnds >= 16, 30_000);
  const before = slowEnds;
  const quick = { ...transformOf('(event) => ({ body: event })'), subscriptionId: 'sub_quick', workspace: 'o_quick' };
  for (let n = 0; n < 100; n++) expect(await transformer.transform(quick)).toMatchObject({ kind: 'sent' });
  const meanwhile = slowEnds - before;
  over = true;
  await Promise.all(load);
  // In one queue with the eight, each of the hundred would wait for some of them.
  expect(meanwhile).toBeLessThan(50);
}, 60_000);
