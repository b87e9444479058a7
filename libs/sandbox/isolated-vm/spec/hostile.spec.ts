// Components that do harm, on purpose or not, are ended for it, and other sources continue.
import { settingBounds } from '../../../domain/source/source-settings.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultLimits } from '../sandbox-limits.ts';
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { cacheDir, describeCode, invoke, source } from './harness.ts';

const limits = { sliceMs: 300, cpuMs: 600, runWallMs: 4_000, hookWallMs: 1_500, loadMs: 500, memoryMb: 48 };

let sandbox: IsolatedVmSandbox;
/** A sandbox with time limits that allow a busy machine to fill the memory. */
let patient: IsolatedVmSandbox;
const deaths: string[] = [];

beforeAll(async () => {
  const onTrouble = (what: string): void => void deaths.push(what);
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits, onTrouble });
  const slow = { ...limits, sliceMs: 10_000, cpuMs: 10_000, runWallMs: 15_000 };
  patient = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: slow, onTrouble });
});
afterAll(() => Promise.all([sandbox.close(), patient.close()]));

/** A component that emits, writes and prints before the harm. */
const harmful = (body: string): string =>
  source(`this.$emit('before'); this.db.set('k', 1); console.log('line'); await null; ${body}`);

const before = {
  emits: [{ channel: '', event: 'before' }],
  dbWrites: [['k', '1']],
  console: [{ level: 'log', text: 'line' }],
};

/** Runs a source repeatedly until `during` has settled; returns how often it finished. */
async function innocentRuns(during: Promise<unknown>, beside: IsolatedVmSandbox): Promise<number> {
  let finished = 0;
  let over = false;
  void during.finally(() => (over = true));
  while (!over) {
    const { end } = await invoke(beside, source('this.$emit(1)'), { sourceId: 'dc_innocent' });
    if (end === 'finished') finished++;
    await sleep(5);
  }
  return finished;
}

async function harm(body: string, where = sandbox): Promise<Awaited<ReturnType<typeof invoke>>> {
  const outcome = invoke(where, harmful(body));
  expect(await innocentRuns(outcome, where)).toBeGreaterThan(0);
  return await outcome;
}

describe('time', () => {
  it.each([
    ['a loop', 'for (;;);'],
    ['a loop of microtasks', 'for (;;) await 0;'],
    ['backtracking in a regular expression', `/(a+)+$/.test('a'.repeat(40) + 'b');`],
    ['a loop in a timer', `setTimeout(() => { for (;;); }, 1); await new Promise(() => {});`],
    ['a loop that is left behind', `Promise.resolve().then(() => { for (;;); });`],
  ])('ends %s as timed out, and keeps what came before', async (_name, body) => {
    const outcome = await harm(body);
    expect(outcome).toMatchObject({ end: 'timed_out', ...before });
    expect(outcome.error?.message).toMatch(/computed for more than 0.3 s/);
  });

  it('ends a hook that never settles at the wall-clock limit', async () => {
    const code = source('').replace(
      'props:',
      'hooks: { async deploy() { this.$emit(1); await new Promise(() => {}); } }, props:',
    );
    const outcome = await invoke(sandbox, code, { what: 'deploy' });
    expect(outcome).toMatchObject({ end: 'timed_out', emits: [{ event: 1 }] });
    expect(outcome.error?.message).toMatch(/did not finish within 1.5 s/);
  });

  it('ends a run of many short bursts at the limit of processor time', async () => {
    const burst = `const end = Date.now() + 100; while (Date.now() < end); await new Promise((r) => setTimeout(r, 1));`;
    const outcome = await harm(`for (;;) { ${burst} }`);
    expect(outcome).toMatchObject({ end: 'timed_out', ...before });
    expect(outcome.error?.message).toMatch(/0.6 s of processor time/);
  });

  it('loses a concurrent invocation of the same source, which is loaded again for the next one', async () => {
    const code = harmful(`if (event.wait) await new Promise(() => {}); for (;;);`);
    const waiting = invoke(sandbox, code, { sourceId: 'dc_shared', event: { wait: true } });
    const culprit = await invoke(sandbox, code, { sourceId: 'dc_shared' });
    expect(culprit.end).toBe('timed_out');
    expect(await waiting).toMatchObject({ end: 'lost', emits: [], dbWrites: [], console: [] });
  });
});

describe('memory', () => {
  it.each([
    ['arrays', 'const all = []; for (;;) all.push(new Array(10_000).fill(all.length));'],
    ['a chain of promises', 'const all = []; for (;;) { all.push(new Array(1_000).fill(1)); await null; }'],
    ['strings', `const all = []; for (let i = 0; ; i++) all.push(('x' + i).repeat(100_000).split(''));`],
  ])(
    'ends %s at the memory limit, and keeps what came before',
    async (_name, body) => {
      const outcome = await harm(body, patient);
      expect(outcome).toMatchObject({ end: 'out_of_memory', ...before });
      expect(outcome.error?.message).toMatch(/more than 48 MB/);
    },
    30_000,
  );

  it('a huge ArrayBuffer throws in the component only', async () => {
    const outcome = await harm('new ArrayBuffer(2 ** 31);');
    expect(outcome).toMatchObject({ end: 'threw', error: { name: 'RangeError' } });
  });

  it('is limited as the source is configured, and so is its time', async () => {
    const filling = source(
      'const kept = []; for (let i = 0; i < 18; i++) kept.push(new Array(1e6).fill(i)); this.$emit(kept.length)',
    );
    const small = await invoke(patient, filling, { sourceId: 'dc_small', memoryMb: 64 });
    expect(small).toMatchObject({ end: 'out_of_memory', error: { message: expect.stringContaining('64 MB') } });
    expect(await invoke(patient, filling, { sourceId: 'dc_large', memoryMb: 512 })).toMatchObject({ end: 'finished' });
    // Its memory limit is raised while it is loaded.
    const kept = source('globalThis.runs = (globalThis.runs ?? 0) + 1; this.$emit(runs)');
    const runs = async (memoryMb: number) =>
      (await invoke(patient, kept, { sourceId: 'dc_kept', memoryMb })).emits[0]?.event;
    expect([await runs(64), await runs(64), await runs(128), await runs(128)]).toEqual([1, 2, 1, 2]);
    const hanging = { sourceId: 'dc_hanging', runTimeoutMs: 300 };
    const late = await invoke(patient, source('await new Promise(() => {})'), hanging);
    expect(late).toMatchObject({ end: 'timed_out', error: { message: expect.stringContaining('0.3 s') } });
    const hook = source('').replace(
      'async run',
      'hooks: { activate() { return new Promise((done) => setTimeout(done, 400)); } }, async run',
    );
    expect(await invoke(patient, hook, { ...hanging, sourceId: 'dc_hook', what: 'activate' })).toMatchObject({
      end: 'finished',
    });
  }, 30_000);

  it('has no kinds of memory outside of the limit', async () => {
    const names = `[typeof WebAssembly, typeof SharedArrayBuffer, typeof Atomics.wait, typeof Atomics.waitAsync]`;
    const { emits } = await invoke(sandbox, source(`this.$emit(${names})`));
    expect(emits[0]?.event).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
  });

  it.each([
    ['the constructor', 'ArrayBuffer'],
    ['the constructor of a prototype', 'new Uint8Array(1).buffer.constructor'],
    ['a class above a subclass', 'Object.getPrototypeOf(class extends ArrayBuffer {})'],
    ['its species', 'ArrayBuffer[Symbol.species]'],
    ['Reflect', '(function (...all) { return Reflect.construct(ArrayBuffer, all); })'],
  ])('has no resizable buffers, which count to nobody, by %s', async (_name, maker) => {
    const body = `
      let message; try { new (${maker})(8, { maxByteLength: 2 ** 29 }); } catch (error) { message = error.message; }
      const one = new (${maker})(8); const { length, name } = ArrayBuffer;
      this.$emit([message, one.byteLength, one.resizable, typeof one.resize, one.slice(2) instanceof ArrayBuffer, one.transfer(4).byteLength, length, name]);`;
    const { emits } = await invoke(sandbox, source(body));
    const message = 'Resizable ArrayBuffers are not available to components: leave maxByteLength out';
    expect(emits[0]?.event).toEqual([message, 8, false, 'undefined', true, 4, 1, 'ArrayBuffer']);
  });
});

describe('the process', () => {
  it('may be blocked by a built-in that cannot be interrupted, but that affects others only once', async () => {
    const body = '(2n ** (1n << 29n)).toString();';
    for (let times = 0; times < 3; times++) {
      const deathsBefore = deaths.length;
      let isOver = false;
      const deadly = invoke(sandbox, harmful(body));
      const innocents: string[] = [];
      void deadly.then(() => (isOver = true));
      // At first it shares a process, which dies only after the end of the invocation.
      for (let run = 0; run < 20 || !isOver || (times === 0 && deaths.length === deathsBefore); run++) {
        innocents.push((await invoke(sandbox, source('this.$emit(1)'), { sourceId: 'dc_innocent' })).end);
        await sleep(10);
      }
      expect((await deadly).end).toBe('timed_out');
      if (times > 0) expect(new Set(innocents)).toEqual(new Set(['finished']));
    }
  }, 30_000);

  it('that is killed from outside loses what was running and is replaced', async () => {
    const waiting = invoke(sandbox, source(`this.http.respond(); await new Promise(() => {})`), {
      sourceId: 'dc_killed',
      onRespond: () => sandbox.processIds.forEach((pid) => process.kill(pid, 'SIGKILL')),
    });
    expect(await waiting).toMatchObject({ end: 'lost' });
    // The next invocation might use the warm spare, which was killed too.
    const ends = [];
    for (const _ of [1, 2]) ends.push((await invoke(sandbox, source('this.$emit(1)'), { sourceId: 'dc_after' })).end);
    expect(ends[1]).toBe('finished');
  });

  // Runners end and start again here, which takes seconds on a busy machine.
  it('that describes a component may be blocked or killed without harm', async () => {
    const looping = await describeCode(sandbox, 'for (;;);');
    expect(looping).toMatchObject({ kind: 'invalid', error: { message: 'The module did not load within 0.5 s' } });
    const deadly = await describeCode(sandbox, '"a".repeat(2 ** 28).split("")');
    expect(deadly).toMatchObject({ kind: 'invalid', error: { name: 'LimitError' } });
    expect(await describeCode(sandbox, source(''))).toMatchObject({ kind: 'described' });
  }, 30_000);

  it('is limited by the memory that its source is given, never below the default', async () => {
    const large = source('', 'const kept = []; for (let i = 0; i < 12; i++) kept.push(new Array(1e6).fill(i));');
    const inMemory = (memoryMb?: number) => describeCode(patient, large, { memoryMb });
    expect(await inMemory()).toMatchObject({ error: { message: expect.stringContaining('48 MB') } });
    expect(await inMemory(32)).toMatchObject({ error: { message: expect.stringContaining('48 MB') } });
    expect(await inMemory(64)).toMatchObject({ error: { message: expect.stringContaining('64 MB') } });
    expect(await inMemory(512)).toMatchObject({ kind: 'described' });
  }, 30_000);
});

it('has generous default limits', () => {
  expect(defaultLimits).toMatchObject({ sliceMs: 1_000, cpuMs: 10_000, runWallMs: 60_000, memoryMb: 128 });
  expect(defaultLimits.runWallMs).toBe(settingBounds.timeoutMs.default);
  expect(defaultLimits.memoryMb).toBe(settingBounds.memoryMb.default);
});
