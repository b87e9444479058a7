// Slow sources that all compute for long take turns, and each reaches only its own limits.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import type { InvocationOutcome } from '../../../sandbox.ts';
import { bundleOf, cacheDir, source } from '../harness.ts';

const limits = { sliceMs: 1_000, cpuMs: 1_500, runWallMs: 10_000 };
let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits });
});
afterAll(() => sandbox.close());

const burning = source(
  `for (let at = 0; at < event.turns; at++) {
     const until = Date.now() + event.ms;
     while (Date.now() < until);
     await new Promise((resolve) => setTimeout(resolve, 0));
   }
   this.$emit(event.turns);`,
);

const burn = (sourceId: string, event: { turns: number; ms: number }): Promise<InvocationOutcome> =>
  sandbox.invoke({
    sourceId,
    revision: 1,
    bundle: () => bundleOf(burning),
    what: 'run',
    event,
    props: {},
    pace: 'slow',
    db: () => ({}),
    onRespond: () => {},
  });

const names = Array.from({ length: 4 }, (_, at) => `dc_burner${at}`);

it('does not count time in which others computed towards a limit', async () => {
  const outcomes = await Promise.all(names.map((name) => burn(name, { turns: 2, ms: 250 })));
  expect(outcomes.map(({ end, error }) => error ?? end)).toEqual(names.map(() => 'finished'));
});

it('ends an isolate that computes without a pause, and waiting ones continue', async () => {
  const endless = burn('dc_endless', { turns: 1, ms: 1e9 });
  const others = names.map((name) => burn(name, { turns: 1, ms: 50 }));
  const { end, error } = await endless;
  expect([end, error?.message]).toEqual(['timed_out', expect.stringContaining('without a pause')]);
  expect((await Promise.all(others)).map((outcome) => outcome.end)).toEqual(names.map(() => 'finished'));
}, 30_000);

it('unloads a source that waits for a processor, and keeps the others', async () => {
  const others = names.map((name) => burn(name, { turns: 2, ms: 100 }));
  const leaving = burn('dc_leaving', { turns: 100, ms: 100 });
  await others[0];
  await sandbox.unload('dc_leaving');
  expect((await leaving).end).toBe('lost');
  expect((await Promise.all(others)).map(({ end }) => end)).toEqual(names.map(() => 'finished'));
});
