// An invocation that has waited too long for its code does not begin.
import { setTimeout as delay } from 'node:timers/promises';
import { Compiler } from '../compile/compile.ts';
import type { Compilation } from '../compile/compile.ts';
import { defaultLimits } from '../sandbox-limits.ts';
import { cacheDir, source } from '../spec/harness.ts';
import { prepareGuest } from './guest-files.ts';
import { Runner } from './runner.ts';

let readyAt = 0;

/** Until `readyAt` it is busy with other components. */
class BusyCompiler extends Compiler {
  override async compile(code: string, caller: string): Promise<Compilation> {
    const compilation = await super.compile(code, caller);
    while (performance.now() <= readyAt) await delay(1);
    return compilation;
  }
}

const compiler = new BusyCompiler({ cacheDir });
let runner: Runner;
beforeAll(async () => {
  runner = new Runner(
    { ...(await prepareGuest(cacheDir)), limits: defaultLimits, egress: { allow: [] } },
    compiler,
    () => {},
  );
});
afterAll(() => {
  runner?.kill('the test has ended');
  compiler.close();
});

it('loses what was compiled too late for it to begin, without having loaded it; what comes in time begins', async () => {
  let loads = 0;
  const invoke = (beginBy: number) =>
    runner.invoke({
      ...{ sourceId: 'dc_1', revision: 1, code: source('this.$emit(1)'), what: 'run', event: {}, props: {}, beginBy },
      db: () => (loads++, {}),
      onRespond: () => {},
    });
  const beginBy = performance.now() + 50;
  readyAt = beginBy;
  expect(await invoke(beginBy)).toMatchObject({ end: 'lost', emits: [] });
  expect([loads, runner.isIdle]).toEqual([0, true]);
  expect(await invoke(performance.now() + 60_000)).toMatchObject({ end: 'finished', emits: [{ event: 1 }] });
});
