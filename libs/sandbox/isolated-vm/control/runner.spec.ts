// An invocation that has waited too long for its bundle does not begin.
import { setTimeout as delay } from 'node:timers/promises';
import { defaultLimits } from '../sandbox-limits.ts';
import { bundleOf, cacheDir, source } from '../spec/harness.ts';
import { prepareGuest } from './guest-files.ts';
import { Runner } from './runner.ts';

let readyAt = 0;

/** A bundle that is ready only at `readyAt`, as when the builder is busy with other components. */
async function bundle() {
  const built = await bundleOf(source('this.$emit(1)'));
  while (performance.now() <= readyAt) await delay(1);
  return built;
}

let runner: Runner;
beforeAll(async () => {
  runner = new Runner({ ...(await prepareGuest(cacheDir)), limits: defaultLimits, egress: { allow: [] } }, () => {});
});
afterAll(() => {
  runner?.kill('the test has ended');
});

it('loses an invocation that is too late to begin, without loading it; one in time begins', async () => {
  let loads = 0;
  const invoke = (beginBy: number) =>
    runner.invoke({
      sourceId: 'dc_1',
      revision: 1,
      bundle,
      what: 'run',
      event: {},
      props: {},
      beginBy,
      db: () => (loads++, {}),
      onRespond: () => {},
    });
  const beginBy = performance.now() + 50;
  readyAt = beginBy;
  expect(await invoke(beginBy)).toMatchObject({ end: 'lost', emits: [] });
  expect([loads, runner.isIdle]).toEqual([0, true]);
  expect(await invoke(performance.now() + 60_000)).toMatchObject({ end: 'finished', emits: [{ event: 1 }] });
});
