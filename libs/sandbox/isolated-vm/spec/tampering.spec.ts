// A component that changes the built-ins can harm its own work, but not the bridge, the host or another source.
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from './harness.ts';

let sandbox: IsolatedVmSandbox;
const deaths: string[] = [];
beforeAll(async () => {
  const onTrouble = (what: string): void => void deaths.push(what);
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, onTrouble });
});
afterAll(() => sandbox.close());

const tampering = `
  Object.prototype.toJSON = function () { return 'pwned'; };
  Object.prototype.polluted = 'yes';
  Object.defineProperty(Object.prototype, '5', { get() { throw new Error('trap'); }, configurable: true });
  JSON.stringify = () => '{"pwned":true}'; JSON.parse = () => { throw new Error('pwned'); };
  Array.prototype[Symbol.iterator] = function* () { throw new Error('pwned'); };
  Array.prototype.push = Array.prototype.map = () => { throw new Error('pwned'); };
  Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw new Error('pwned'); };
  Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error('pwned'); };
  String.prototype.slice = () => 'pwned'; Object.keys = () => ['pwned']; Reflect.apply = () => { throw new Error('pwned'); };
  Promise.prototype.then = () => { throw new Error('pwned'); }; Promise.resolve = () => { throw new Error('pwned'); };
`;

it('a source that replaces every built-in it can reach still runs, emits, writes and ends', async () => {
  const code = source(
    `this.$emit('text', { id: 1 }); this.db.set('k', 5); this.http.respond({ status: 202, body: 'x' }); this.$emit(this.db.get('k'));`,
    tampering,
  );
  const responses: unknown[] = [];
  for (let run = 0; run < 2; run++) {
    const outcome = await invoke(sandbox, code, { onRespond: (response) => responses.push(response) });
    expect(outcome).toMatchObject({ end: 'finished', dbWrites: [['k', '5']] });
    expect(outcome.emits).toEqual([
      { channel: '', id: 1, event: 'text' },
      { channel: '', event: 5 },
    ]);
  }
  expect(responses).toEqual(Array(2).fill({ status: 202, headers: {}, bodyBase64: 'eA==' }));
});

it('its errors are still reported', async () => {
  const outcome = await invoke(sandbox, source('throw new Error("own")', tampering));
  expect(outcome).toMatchObject({ end: 'threw', error: { message: 'own', line: expect.any(Number) } });
});

it('secrets in a long error are masked before it is cut', async () => {
  const secret = 'the whole of a secret';
  const code = source(`throw new Error('m'.repeat(8 * 1024 - 10) + ${JSON.stringify(secret)} + 'x')`);
  const { error } = await invoke(sandbox, code, { secrets: [secret] });
  expect(error?.message).toMatch(/m\[secret\]x?$/);
  expect(error?.message.length).toBeLessThanOrEqual(8 * 1024);
});

it('neither another source nor the host is affected', async () => {
  const outcome = await invoke(sandbox, source(`this.$emit([{}.polluted ?? 'clean', JSON.stringify({ a: 1 })])`));
  expect(outcome.emits[0]?.event).toEqual(['clean', '{"a":1}']);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

it('keys with a meaning in JavaScript, such as __proto__, are plain data', async () => {
  const code = source(
    `this.$emit(JSON.parse('{"__proto__":{"polluted":1},"constructor":2}')); this.db.set('__proto__', { a: 1 }); this.$emit(this.db.get('__proto__')); this.$emit(event);`,
  );
  const event = JSON.parse('{"__proto__":{"x":1}}') as never;
  const { emits, dbWrites } = await invoke(sandbox, code, { event });
  expect(JSON.stringify(emits.map((emit) => emit.event))).toBe(
    '[{"__proto__":{"polluted":1},"constructor":2},{"a":1},{"__proto__":{"x":1}}]',
  );
  expect(dbWrites).toEqual([['__proto__', '{"a":1}']]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

it('a component cannot reach anything of the host', async () => {
  const body = `
    const found = []; const seen = new Set();
    const walk = (value, path, depth) => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 6) return;
      seen.add(value);
      for (const key of Reflect.ownKeys(value)) {
        let inner; try { inner = value[key]; } catch { continue; }
        if (/applySync|derefInto|isolated|ivm|__boot/.test(String(key))) found.push(path + '.' + String(key));
        walk(inner, path + '.' + String(key), depth + 1);
      }
      walk(Object.getPrototypeOf(value), path + '^', depth + 1);
    };
    walk(globalThis, 'globalThis', 0); walk(this, 'this', 0);
    let viaConstructor; try { viaConstructor = this.$emit.constructor('return typeof process.binding === "function" && typeof require')(); } catch (e) { viaConstructor = e.name; }
    let stack; try { null.x; } catch (e) { stack = e.stack; }
    this.$emit([found, viaConstructor, typeof globalThis.require, /file:|node:|\\/work/.test(stack)]);`;
  const { emits } = await invoke(sandbox, source(body));
  expect(emits[0]?.event).toEqual([[], 'undefined', 'undefined', false]);
});

const largeBuffer = `const B = new ArrayBuffer(60e6); Object.defineProperty(B, 'byteLength', { value: 0 });`;
const manyRequests = `
  for (let n = 0; n < 40; n++) fetch('http://10.0.0.1/', { method: 'POST', body: 'x' }).catch(() => {});`;

it.each([
  [
    'by another Uint8Array',
    `const U = Uint8Array; ${largeBuffer}
    globalThis.Uint8Array = new Proxy(U, { construct: (to, given, by) => given[0] instanceof U ? { buffer: B } : Reflect.construct(to, given, by) });
    ${manyRequests}`,
  ],
  [
    'by other getters of buffers',
    `const { getPrototypeOf: up, defineProperty: define } = Object; const B = new ArrayBuffer(60e6);
    define(ArrayBuffer.prototype, 'byteLength', { get: () => 0 }); define(up(Uint8Array.prototype), 'buffer', { get: () => B });
    define(Map.prototype, 'size', { get: () => 0 }); ${manyRequests}`,
  ],
  [
    'by what prototypes give for arguments that are left out',
    `${largeBuffer} Object.defineProperty(Object.prototype, '2', { get: () => B, configurable: true });
    for (let n = 0; n < 40; n++) setTimeout(() => {}, 1);`,
  ],
])('large buffers reach no runner %s, and its neighbour continues', async (_, attack) => {
  const neighbour = invoke(sandbox, source('await new Promise((go) => setTimeout(go, 500)); this.$emit(1);'));
  const outcome = await invoke(sandbox, source(`${attack} await new Promise((go) => setTimeout(go, 200));`));
  expect(outcome.end).toBe('finished');
  expect(await neighbour).toMatchObject({ end: 'finished', emits: [{ event: 1 }] });
  expect(deaths).toEqual([]);
});

it('built-ins that a component can replace never receive the functions that make requests', async () => {
  const spying = `
    const seen = [];
    const look = (value) => void (typeof value === 'object' && value !== null && (value.leave || value.exchange) && seen.push(value));
    const { entries, forEach } = Map.prototype;
    const all = [[Map.prototype, ['get', 'set', 'has', 'delete', 'clear', 'keys', 'values', 'entries', 'forEach', Symbol.iterator]], [Array.prototype, ['push', 'map', 'at']],
      [Object.getPrototypeOf(new Map().keys()), ['next']], [Promise.prototype, ['then', 'catch']], [Object, ['assign', 'freeze', 'keys']]];
    const own = new WeakSet();
    for (const [owner, names] of all) for (const name of names) {
      const plain = owner[name];
      if (typeof plain !== 'function') continue;
      owner[name] = function (...args) {
        const result = Reflect.apply(plain, this, args);
        look(this); look(result); for (let at = 0; at < args.length; at++) look(args[at]);
        if (this instanceof Map && !own.has(this)) { own.add(this); Reflect.apply(forEach, this, [look]); own.delete(this); }
        if (name === 'next') look(result.value);
        return result;
      };
    }`;
  const body = `
    await Promise.allSettled(Array.from({ length: 3 }, () => fetch('http://10.0.0.1/', { method: 'POST', body: 'x' })));
    void fetch('http://10.0.0.1/').catch(() => {});
    this.$emit(seen.length);`;
  const code = source(body, spying);
  for (let run = 0; run < 2; run++) {
    const { end, emits } = await invoke(sandbox, code, { sourceId: 'dc_spying' });
    expect({ end, seen: emits[0]?.event }).toEqual({ end: 'finished', seen: 0 });
  }
});

it('no process died in any of these tests', () => expect(deaths).toEqual([]));
