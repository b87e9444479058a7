// The processor time of a run is reported.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

it.each([
  {
    what: 'a run',
    code: 'let sum = 0; for (let i = 0; i < 60_000_000; i++) sum += i % 7; this.$emit(sum);',
    end: 'finished',
  },
  { what: 'a run that was stopped', code: 'for (;;);', end: 'timed_out' },
])('is reported for $what', async ({ code, end }) => {
  const outcome = await invoke(sandbox, source(code));
  expect(outcome).toMatchObject({ end });
  expect(outcome.cpuMs).toBeGreaterThan(20);
});
