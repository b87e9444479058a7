// An author sees errors with their causes, and thrown values as the console shows them.
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from './harness.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

const thrown = async (body: string) => (await invoke(sandbox, source(body))).error;

async function printedBy(body: string): Promise<readonly string[]> {
  const { error, console } = await invoke(sandbox, source(body));
  if (error) throw new Error(error.message);
  return console.map(({ text }) => text);
}

/** A stack without positions. */
const withoutPlaces = (stack: string | undefined): string =>
  (stack ?? '').replace(/\n *at .*/g, '').replace(/ \(component\.js:\d+:\d+\)/g, '');

describe('an error of a run', () => {
  it('shows its causes below its stack, with their own stacks', async () => {
    const error = await thrown(`
      try { try { null.x; } catch (cause) { throw new TypeError('no answer', { cause }); } }
      catch (cause) { throw new Error('the poll failed', { cause }); }`);
    expect(error).toMatchObject({ name: 'Error', message: 'the poll failed', line: 5 });
    expect(withoutPlaces(error?.stack).split('\n')).toEqual([
      'Error: the poll failed',
      '  [cause]: TypeError: no answer',
      "    [cause]: TypeError: Cannot read properties of null (reading 'x')",
    ]);
    expect(error?.stack).toMatch(/\[cause\]: TypeError: no answer\n {6}at Object.run \(component.js:4:\d+\)/);
  });

  it('shows the errors of an AggregateError', async () => {
    const error = await thrown(`await Promise.any([Promise.reject(new Error('one')), Promise.reject('two')]);`);
    expect(withoutPlaces(error?.stack).split('\n')).toEqual([
      'AggregateError: All promises were rejected',
      '  [errors][0]: Error: one',
      '  [errors][1]: two',
    ]);
  });

  it('stays short, however deep and wide its causes are', async () => {
    const error = await thrown(`
      const error = new Error('loop'); error.cause = error; error.errors = Array(100_000).fill(error); throw error;`);
    expect(error?.stack?.length).toBeLessThanOrEqual(16 * 1024);
  });

  it.each([
    ['an object', '({ status: 401, why: ["expired"] })', "{ status: 401, why: [ 'expired' ] }"],
    [
      'an object without a prototype',
      'Object.assign(Object.create(null), { a: 1 })',
      '[Object: null prototype] { a: 1 }',
    ],
    ['an object whose text throws', '({ toString() { throw 1; } })', '{ toString: [Function: toString] }'],
    ['a text', '"as it is"', 'as it is'],
    [
      'an error whose message throws',
      'Object.defineProperty(new Error("m"), "message", { get() { throw 1; } })',
      'an error whose text cannot be read',
    ],
    [
      'an error whose text throws',
      'Object.assign(new Error("m"), { message: null, toString: 5, valueOf: 5 })',
      'an error whose text cannot be read',
    ],
    [
      'an object, where the component has changed what an error is',
      '(Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1; } }), { status: 404 })',
      '{ status: 404 }',
    ],
    [
      'an object with a stack and no message',
      '({ stack: "at home", status: 401 })',
      "{ stack: 'at home', status: 401 }",
    ],
    ['an object whose message has no text', '({ message: { why: "expired" } })', "{ message: { why: 'expired' } }"],
    ['an object whose message is a list of texts', '({ message: ["a", ["b"]] })', 'a,b'],
    ['an object whose message is empty', '({ message: "", status: 401 })', "{ message: '', status: 401 }"],
    ['a list', '[{ status: 401 }, { status: 402 }]', '[ { status: 401 }, { status: 402 } ]'],
    ['an empty list', '[]', '[]'],
    ['an empty text', '""', "''"],
    ['a map', 'new Map([["status", 401]])', "Map(1) { 'status' => 401 }"],
    ['an answer', 'new Response("no", { status: 401 })', expect.stringMatching(/^Response /)],
    [
      'an error with a list for a message',
      'Object.assign(new Error(), { message: ["one", "two"] })',
      "[ 'one', 'two' ]",
    ],
    ['an error whose message is empty', 'new TypeError("")', ''],
  ])('that is %s shows what is in it', async (_name, value, message) => {
    const name = value.startsWith('new TypeError') ? 'TypeError' : 'Error';
    expect(await thrown(`throw ${value};`)).toMatchObject({ name, message });
  });

  it('shows only frames of the component where a thrown value holds an error', async () => {
    const { message = '' } = (await thrown(`throw { failed: new Error('inside') };`)) ?? {};
    expect(message).toMatch(/^{\n {2}failed: Error: inside\n {6}at Object.run \(component.js:3:\d+\)\n}$/);
  });
});

it('shows what nobody caught with its message, also where the stack does not have it', async () => {
  const [changed, plain, usual] = await printedBy(`
    const later = (thrown) => new Promise((done) => { setTimeout(() => { done(); throw thrown; }, 1); });
    await later(Object.assign(new Error('no answer'), { message: 'the poll failed' }));
    await later({ stack: 'at home', status: 401 });
    await later(new Error('as it was'));`);
  expect(changed).toMatch(/^Uncaught Error: the poll failed\nError: no answer\n/);
  expect(plain).toBe("Uncaught Error: { stack: 'at home', status: 401 }\nat home");
  expect(withoutPlaces(usual)).toBe('Uncaught Error: as it was');
});

describe('the console', () => {
  it('draws tables as Node does', async () => {
    const [rows, lists, chosen, map, none] = await printedBy(`
      console.table([{ id: 1, name: 'a' }, { id: 22, ok: true }]); console.table([[1, 2], [3]]);
      console.table([{ id: 1, name: 'a' }], ['name']); console.table(new Map([['k', 1]])); console.table(5);`);
    expect(rows?.split('\n')).toEqual([
      '┌─────────┬────┬──────┬──────┐',
      '│ (index) │ id │ name │ ok   │',
      '├─────────┼────┼──────┼──────┤',
      "│ 0       │ 1  │ 'a'  │      │",
      '│ 1       │ 22 │      │ true │',
      '└─────────┴────┴──────┴──────┘',
    ]);
    expect(lists).toContain('│ 1       │ 3 │   │');
    expect(chosen).not.toContain('id │');
    expect(map).toContain("│ 0                 │ 'k' │ 1      │");
    expect(none).toBe('5');
  });

  it('has what is written to the standard output and error, by streams and by descriptors', async () => {
    const lines = await printedBy(`
      const { writeSync, write } = require('fs'); const { stdout, stderr } = process; const bytes = new TextEncoder().encode('bytes\\n');
      await new Promise((done) => stdout.write('text\\n', done)); await new Promise((done) => stderr.write(bytes, 'utf8', done));
      await new Promise((done) => stdout.end('end', done)); await new Promise((done) => stdout.end(done));
      console.log(writeSync(1, 'one\\n'), writeSync(2, bytes, 0, 2)); await new Promise((done) => write(1, 'two\\n', done));
      try { writeSync(3, 'none'); } catch (e) { console.log(e.code); }`);
    expect(lines).toEqual(['text', 'bytes', 'end', 'one', 'by', '4 2', 'two', 'EBADF']);
  });

  it('shows where trace was called', async () => {
    const [traced, bare] = await printedBy(`console.trace('at %s', 'work'); console.trace();`);
    expect(traced).toMatch(/^Trace: at work\n {4}at Object.run \(component.js:3:\d+\)$/);
    expect(bare).toMatch(/^Trace\n {4}at Object.run/);
  });

  it('shows the fields of an error in braces that are whole', async () => {
    const [text = ''] = await printedBy(`console.log({ e: Object.assign(new Error('x'), { code: 'E_X' }) });`);
    expect(text.replace(/\n *at [^{\n]*/g, '')).toBe("{\n  e: Error: x{\n    code: 'E_X'\n  }\n}");
  });

  it('names classes as Node does, and shows what search parameters hold', async () => {
    const names = `[Buffer, URL, URLSearchParams, AbortController, Blob, Response, Request, require('events'), require('stream').Readable, require('assert').AssertionError]`;
    const [text, params] = await printedBy(
      `console.log(${names}.map(({ name }) => name).join(' ')); console.log(new URLSearchParams('a=1&b=2'));`,
    );
    expect(text).toBe(
      'Buffer URL URLSearchParams AbortController Blob Response Request EventEmitter Readable AssertionError',
    );
    expect(params).toBe("URLSearchParams { 'a' => '1', 'b' => '2' }");
  });
});
