// All output of a component is limited before it leaves its process; a violation is the component's error.
import { setTimeout as sleep } from 'node:timers/promises';
import { sizes } from '../../../domain/sizes.ts';
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { cacheDir, describeCode, invoke, source } from './harness.ts';
import type { InvokeOptions } from './harness.ts';

let sandbox: IsolatedVmSandbox;
const deaths: string[] = [];
beforeAll(async () => {
  const onTrouble = (what: string): void => void deaths.push(what);
  // Reaching a limit can take long on a busy machine.
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { sliceMs: 10_000 }, onTrouble });
});
afterAll(() => sandbox.close());

const nested = (levels: number): string => `JSON.parse('['.repeat(${levels}) + ']'.repeat(${levels}))`;

it.each([
  ['an event nested 24,000 deep', `this.$emit(${nested(24_000)})`, /Maximum call stack|nested deeper than 256/],
  ['an event nested 300 deep', `this.$emit(${nested(300)})`, /nested deeper than 256 levels/],
  ['a db value nested 300 deep', `this.db.set('k', ${nested(300)})`, /nested deeper than 256 levels/],
  [
    'a db value that toJSON makes deep',
    `this.db.set('k', { toJSON: () => ${nested(1_000)} })`,
    /nested deeper than 256 levels/,
  ],
  ['a db key of 9,000 characters', `this.db.set('k'.repeat(9_000), 1)`, /8192 are allowed/],
  [
    'more than 16 MiB of writes to one key',
    `for (let n = 0; n < 10_000; n++) this.db.set('k', 'v'.repeat(60_000));`,
    /one run may write/,
  ],
  ['timers without a pause', `for (;;) clearTimeout(setTimeout(() => {}, 10));`, /without a pause/],
  [
    'a large response beside large emits',
    `for (let n = 0; n < 6; n++) this.$emit('e'.repeat(500_000)); this.http.respond({ body: 'r'.repeat(5_000_000) });`,
    /emit and respond/,
  ],
])('%s throws in the component', async (_name, body, message) => {
  const outcome = await invoke(sandbox, source(body));
  expect(outcome).toMatchObject({ end: 'threw', error: { message: expect.stringMatching(message) } });
});

it('keeps 10,000 events of one run, and throws in the component at the next', async () => {
  const emit = (count: number) => invoke(sandbox, source(`for (let n = 0; n < ${count}; n++) this.$emit(n);`));
  const most = await emit(10_000);
  expect(most).toMatchObject({ end: 'finished', console: [] });
  expect(most.emits.map(({ event }) => event)).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
  const more = await emit(10_001);
  expect(more).toMatchObject({ end: 'threw', error: { message: expect.stringContaining('may emit 10000 events') } });
  expect(more.emits).toHaveLength(10_000);
});

it('emits and stores what has 256 levels, and nothing deeper', async () => {
  const values = `const [most, above] = [${nested(256)}, ${nested(257)}];`;
  const outcome = await invoke(
    sandbox,
    source(`${values} this.$emit(most); this.db.set('k', most); this.$emit(above);`),
  );
  expect(outcome).toMatchObject({ end: 'threw', error: { message: expect.stringMatching(/nested deeper than 256/) } });
  const most = '['.repeat(256) + ']'.repeat(256);
  expect(outcome.emits.map(({ event }) => JSON.stringify(event))).toEqual([most]);
  expect(outcome.dbWrites).toEqual([['k', most]]);
});

it('throws at the first of many small values that no longer fits into the db', async () => {
  const value = 'v'.repeat(30);
  const outcome = await invoke(sandbox, source(`for (let n = 1; n <= 10_000; n++) this.db.set('"é' + n, '${value}');`));
  expect(outcome).toMatchObject({ end: 'threw', error: { message: expect.stringMatching(/would be larger/) } });
  // Quotes, colon and comma are counted for each entry.
  const bytesOf = (key: string): number => Buffer.byteLength(JSON.stringify(key) + JSON.stringify(value)) + 4;
  const bytes = outcome.dbWrites.reduce((sum, [key]) => sum + bytesOf(key), 0);
  expect(bytes).toBeLessThanOrEqual(sizes.dbBytes);
  expect(bytes + bytesOf(`"é${outcome.dbWrites.length + 1}`)).toBeGreaterThan(sizes.dbBytes);
});

it('cuts a long summary between characters', async () => {
  const outcome = await invoke(sandbox, source(`this.$emit(1, { summary: 'a'.repeat(4_095) + '\u{1F600}b' });`));
  expect(outcome.emits).toMatchObject([{ summary: 'a'.repeat(4_095) }]);
});

it('throws at the first of many small events that no longer fits into the records of one run', async () => {
  const emits = `for (let n = 0; n < 10_000; n++) this.$emit('é'.repeat(20), { id: 'i' + n, name: 'c', summary: 's' });`;
  const outcome = await invoke(sandbox, source(emits));
  expect(outcome).toMatchObject({
    end: 'threw',
    error: { name: 'LimitError', message: expect.stringMatching(/608 more/) },
  });
  const recordBytes = (n: number): number => 608 + Buffer.byteLength(`"${'é'.repeat(20)}""i${n}""c""s"`);
  const bytes = outcome.emits.reduce((sum, _emit, n) => sum + recordBytes(n), 0);
  expect(bytes).toBeLessThanOrEqual(sizes.runOutputBytes);
  expect(bytes + recordBytes(outcome.emits.length)).toBeGreaterThan(sizes.runOutputBytes);
});

it('removes unknown keys silently', async () => {
  const body = `for (let n = 0; n < 9_000; n++) this.db.set('x'.repeat(8_000) + n, undefined); this.db.set('k', 1); this.db.set('k');`;
  const outcome = await invoke(sandbox, source(body));
  expect(outcome).toMatchObject({ end: 'finished', dbWrites: [['k', null]] });
});

describe('a manifest', () => {
  const describeWithProps = (props: string, before = ''): ReturnType<IsolatedVmSandbox['describe']> =>
    describeCode(sandbox, `${before} module.exports = { name: 'a', version: '1', props: ${props}, run() {} };`);

  it.each([
    ['made deep by a patched map', `Array.prototype.map = () => ${nested(30_000)}; `],
    ['made deep by a patched slice', `String.prototype.slice = Array.prototype.slice = () => ${nested(30_000)}; `],
    ['made deep by a patched toJSON', `Object.prototype.toJSON = () => ${nested(30_000)}; `],
    ['made deep by a patched date', `Date.prototype.toISOString = () => ${nested(30_000)}; `],
    ['made deep by a patched Object.keys', `Object.keys = () => ${nested(30_000)}; `],
  ])('%s is still described as the component declares it', async (_name, before) => {
    const props = `{ p: { type: 'string', label: 'P', options: ['a', new Date(0)] } }`;
    const outcome = await describeWithProps(props, before);
    const p = { name: 'p', type: 'string', label: 'P', options: ['a', '1970-01-01T00:00:00.000Z'] };
    expect(outcome).toMatchObject({ kind: 'described', manifest: { props: [p] } });
  });

  it.each([
    ['100 MB of options', `{ p: { type: 'string', options: Array(1_000).fill('x'.repeat(100_000)) } }`],
    ['a getter that never ends', `{ get p() { for (;;); } }`],
    [
      'a proxy with a hundred thousand keys',
      `new Proxy({}, { ownKeys: () => Array.from({ length: 1e5 }, (_, n) => "k" + n), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })`,
    ],
  ])('with %s is refused', async (_name, props) => {
    expect(await describeWithProps(props)).toMatchObject({ kind: 'invalid', error: { message: expect.any(String) } });
  });

  it('cuts values nested deeper than is shown', async () => {
    const outcome = await describeWithProps(`{ p: { type: 'any', default: ${nested(5_000)} } }`);
    const props = outcome.kind === 'described' ? outcome.manifest.props : [];
    expect(JSON.stringify(props[0]?.default)).toBe('[[[[[[[null]]]]]]]');
  });
});

describe('the guest', () => {
  it('runs in strict mode: a function that it calls cannot find its caller', async () => {
    const body = `
      const found = [];
      function spy() {
        try { found.push(typeof spy.caller); } catch (error) { found.push(error.name); }
        try { found.push(typeof arguments.callee.caller); } catch (error) { found.push(error.name); }
        return 'spied';
      }
      Error.prepareStackTrace = (error, frames) => frames.map((frame) => typeof frame.getFunction() + typeof frame.getThis());
      this.$emit({ toJSON: spy });
      this.$emit({ get a() { found.push(...new Error().stack); return 1; } });
      this.$emit(found);`;
    const { emits } = await invoke(sandbox, source(body));
    const [caller, callee, ...frames] = (emits[2]?.event ?? []) as string[];
    expect([caller, callee]).toEqual(['object', 'object']);
    // The component can see its own functions; those of the guest are 'undefined'.
    expect(frames.slice(1).every((frame) => !frame.startsWith('function') || frame === 'functionobject')).toBe(true);
  });

  it('has no bridge that a component can reach through its caller', async () => {
    const body = `
      const seen = [];
      const hook = function () {
        for (let from = hook.caller; from; from = from.caller) seen.push(from.name);
        return 1;
      };
      this.$emit({ toJSON: hook });
      this.db.set({ toString: hook }, 1);
      this.http.respond({ status: 200, headers: { a: { toString: hook } }, body: { toJSON: hook } });
      this.$emit(seen);`;
    const outcome = await invoke(sandbox, source(body));
    expect(outcome.emits.at(-1)?.event).toEqual([]);
  });
});

it('many positions in a large component are mapped within the limits of a run', async () => {
  const filler = Array.from(
    { length: 9_000 },
    (_, n) => `const filler${n} = () => ({ value: ${n}, name: 'n${n}' });`,
  ).join('\n');
  const body = `for (let n = 0; n < 2_000; n++) console.log('    at x (component.js:1:1)'); throw new Error('x');`;
  const outcome = await invoke(sandbox, source(body, `${filler}\n`));
  expect(outcome).toMatchObject({ end: 'threw', error: { line: 9_003 } });
  expect(outcome.console.length).toBeGreaterThan(1_000);
});

describe('cryptography', () => {
  it('beyond the bounds throws an error that names the bound', async () => {
    const body = `require('crypto').pbkdf2Sync('p', Buffer.alloc(50e6), 1, 1024, 'sha256')`;
    const outcome = await invoke(sandbox, source(body));
    expect(outcome).toMatchObject({
      end: 'threw',
      error: { message: expect.stringMatching(/bytes of one operation must be from 0/) },
    });
  });

  it('does not delay others, and counts as processor time', async () => {
    const slow = `for (;;) { require('crypto').pbkdf2Sync('p', 's', 300_000, 32, 'sha256'); await null; }`;
    const running = invoke(sandbox, source(slow), { sourceId: 'dc_slow' });
    let innocent = 0;
    let over = false;
    void running.finally(() => (over = true));
    while (!over) {
      const { end } = await invoke(sandbox, source('this.$emit(1)'), { sourceId: 'dc_beside' });
      if (end === 'finished') innocent++;
      await sleep(20);
    }
    expect((await running).end).toBe('timed_out');
    expect(innocent).toBeGreaterThan(20);
  }, 60_000);

  it('in an endless loop of asynchronous hashes ends at the limit of processor time', async () => {
    const limited = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { cpuMs: 500 } });
    const body = `const data = new Uint8Array(60_000); const wait = () => new Promise((r) => setTimeout(r, 0));
      for (;;) { for (let n = 0; n < 20; n++) await crypto.subtle.digest('SHA-512', data); await wait(); }`;
    const outcome = await invoke(limited, source(body));
    await limited.close();
    expect(outcome).toMatchObject({ end: 'timed_out', error: { message: expect.stringMatching(/processor time/) } });
  }, 30_000);
});

it('an outcome never exceeds the size that a run may report', async () => {
  const body = `for (let n = 0; n < 50; n++) { try { this.$emit('ü'.repeat(250_000)); } catch {} console.log('ü'.repeat(100_000)); }`;
  const outcome = await invoke(sandbox, source(body));
  expect(Buffer.byteLength(JSON.stringify(outcome))).toBeLessThan(sizes.runResultBytes + sizes.consoleBytes + 10_000);
});

it('no process died in any of these tests', () => expect(deaths).toEqual([]));

describe('what is dropped is told', () => {
  const warningsOf = async (code: string, order: InvokeOptions = {}): Promise<readonly string[]> => {
    const { console, emits } = await invoke(sandbox, code, order);
    expect(emits).toEqual([]);
    return console.map(({ level, text }) => `${level}: ${text}`);
  };

  it('names the hooks that never run', async () => {
    const hooks = "{ delploy() {}, activate: 'x', deactivate() {}, deploy: undefined, constructor() {} }";
    const code = `module.exports = { name: 'a', version: '1', hooks: ${hooks}, run() {} }`;
    const { console } = await describeCode(sandbox, code);
    expect(console.map(({ level, text }) => `${level}: ${text}`)).toEqual([
      'warn: The hook "delploy" never runs: hooks are deploy, activate and deactivate',
      'warn: The hook "activate" never runs: it is not a function',
      'warn: The hook "constructor" never runs: hooks are deploy, activate and deactivate',
    ]);
  });

  it.each([
    ['a timer that is still to fire', `setTimeout(() => this.$emit(1), 60_000);`, '1 timer'],
    ['timers, not cleared', `setTimeout(() => {}, 60_000); setInterval(() => this.$emit(1), 60_000);`, '2 timers'],
    ['work that nobody awaits', `(async () => { await new Promise((r) => setTimeout(r, 60_000)); })();`, '1 timer'],
  ])('says once of a component that its run left %s', async (_name, body, what) => {
    const code = source(body);
    expect(await warningsOf(code)).toEqual([
      expect.stringMatching(`^warn: This ended before ${what} of it: .* is dropped.`),
    ]);
    expect(await warningsOf(code)).toEqual([]);
  });

  it.each([
    ['cleared', `clearTimeout(setTimeout(() => {}, 60_000));`],
    ['unref()ed', `setInterval(() => {}, 60_000).unref().refresh();`],
    ['of a signal', `AbortSignal.timeout(60_000);`],
    ['done', `await new Promise((done) => setTimeout(done, 1));`],
    ['done when nobody awaited it', `Promise.resolve().then(() => {}).then(() => {});`],
  ])('says nothing of what is %s', async (_name, body) => {
    expect(await warningsOf(source(body))).toEqual([]);
  });

  it('says nothing of what a failed run left', async () => {
    const outcome = await invoke(sandbox, source(`setTimeout(() => {}, 60_000); throw new Error('x');`));
    expect(outcome).toMatchObject({ end: 'threw', console: [] });
  });

  it('refuses what is emitted for a run that has ended, in the run that tries it', async () => {
    const sourceId = 'dc_kept_emit';
    const code = source(`globalThis.kept ??= this.$emit; globalThis.kept(event.n);`);
    const first = await invoke(sandbox, code, { sourceId, event: { n: 1 } });
    expect(first.emits.map(({ event }) => event)).toEqual([1]);
    const { end, error, emits, console } = await invoke(sandbox, code, { sourceId, event: { n: 2 } });
    expect({ end, emits }).toEqual({ end: 'threw', emits: [] });
    expect(error?.message).toContain('has ended');
    expect(console).toMatchObject([{ level: 'error', text: expect.stringContaining('Event dropped: $emit') }]);
  });

  it('tells the run beside it of what is emitted too late', async () => {
    const sourceId = 'dc_late_emit';
    const code = source(`if (event.n === 2) {
      setTimeout(() => { try { this.$emit(1); } finally { globalThis.done(); } }, 10);
      return;
    }
    this.http.respond({ status: 200 });
    await new Promise((done) => { globalThis.done = done; });`);
    const { promise: begun, resolve } = Promise.withResolvers<unknown>();
    const beside = invoke(sandbox, code, { sourceId, event: { n: 1 }, onRespond: resolve });
    await begun;
    const late = await invoke(sandbox, code, { sourceId, event: { n: 2 } });
    expect(late).toMatchObject({ end: 'finished', emits: [] });
    const { end, emits, console } = await beside;
    expect({ end, emits }).toEqual({ end: 'finished', emits: [] });
    expect(console[0]).toMatchObject({ level: 'error', text: expect.stringContaining('Event dropped: $emit') });
  });
});
