// AsyncLocalStorage keeps its store in components wherever Node keeps it.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';
import { inComponent, inNode } from './as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir })), 30_000);
afterAll(() => sandbox?.close());

const setup = `const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
  const store = new AsyncLocalStorage(); const other = new AsyncLocalStorage(); const seen = [];
  const see = (at) => seen.push([at, store.getStore() ?? null, other.getStore() ?? null]);
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n`;

test.each([
  [
    'across await, and apart for those side by side',
    `const work = async (name, ms) => { see(name + 1); await sleep(ms); see(name + 2); await null; see(name + 3); return name; };
     const ends = await Promise.all([store.run('a', work, 'a', 20), store.run('b', () => other.run('o', work, 'b', 5)), work('none', 10)]);
     see('after'); return [seen.sort(), ends];`,
  ],
  [
    'in callbacks of promises, timers and microtasks',
    `await store.run(1, async () => {
       await Promise.resolve().then(() => see('then')); await Promise.reject(new Error()).catch(() => see('catch'));
       await Promise.resolve().finally(() => see('finally')); await new Promise((r) => queueMicrotask(() => { see('microtask'); r(); }));
       await new Promise((r) => setImmediate(() => { see('immediate'); r(); })); await Promise.allSettled([sleep(1)]); see('settled');
       let ticks = 0; await new Promise((r) => { const i = setInterval(() => { see('tick'); if (++ticks === 2) { clearInterval(i); r(); } }, 1); });
     }); see('outside'); return seen;`,
  ],
  [
    'in async generators, loops over them, and throws',
    `async function* numbers() { for (const n of [1, 2]) { await sleep(1); see('in ' + n); yield n; } }
     await store.run('g', async () => { for await (const n of numbers()) see('got ' + n);
       try { await (async () => { await sleep(1); throw new TypeError('no'); })(); } catch (e) { see(e.message); } });
     see('outside'); return seen;`,
  ],
  [
    'with exit, enterWith, bind, snapshot and resources',
    `await store.run('x', async () => { store.exit(() => see('exit')); see('back'); other.enterWith('entered'); await sleep(1); see('entered'); });
     const bound = store.run('b', () => AsyncLocalStorage.bind(() => see('bound'))); bound();
     const snapshot = store.run('s', () => AsyncLocalStorage.snapshot()); snapshot(() => see('snapshot'));
     const resource = store.run('r', () => new AsyncResource('mine')); resource.runInAsyncScope(() => see('resource'));
     other.exit(() => see('left')); return seen;`,
  ],
  [
    'with callbacks that a resource binds',
    `const self = { name: 'self' }; function show(a) { see([this?.name ?? 'none', a]); return a; }
     const [plain, given, of] = store.run('b', () =>
       [AsyncResource.bind(show), AsyncResource.bind(show, 'mine', self), new AsyncResource('mine').bind(show, self)]);
     return [plain(1), plain.call({ name: 'caller' }, 2), given(3), of.call({ name: 'caller' }, 4), seen];`,
  ],
])('%s', async (_what, body) => {
  const text = setup + body;
  const component = await inComponent(sandbox, text);
  expect(component).toEqual(await inNode(text));
  expect((component as unknown[]).length).toBeGreaterThan(0);
});

test('the next run starts without the context of the previous run', async () => {
  const code = source(
    `this.$emit(store.getStore() ?? 'nothing'); store.enterWith('left behind');`,
    `const { AsyncLocalStorage } = require('async_hooks'); const store = new AsyncLocalStorage();\n`,
  );
  for (let runs = 0; runs < 2; runs++) {
    const { emits } = await invoke(sandbox, code, { sourceId: 'dc_left' });
    expect(emits[0]?.event).toBe('nothing');
  }
});

test('an error is mapped to its line when a component is compiled without await', async () => {
  const code = `const { AsyncLocalStorage } = require('async_hooks');\nmodule.exports = { name: 'a', version: '1',\n  async run() {\n    await null;\n    throw new RangeError('here');\n  },\n};`;
  expect((await invoke(sandbox, code)).error).toMatchObject({ name: 'RangeError', line: 5 });
});
