// Slow sources run in a process of their own with low priority, so on a busy machine it takes seconds to start.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bundle } from '../../../../packages/packages.ts';
import type { Invocation, InvocationOutcome, Pace } from '../../../sandbox.ts';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { bundleOf, cacheDir, source } from '../harness.ts';

let sandbox: IsolatedVmSandbox;
let quickAlone: number;
/** Built once, because a source's runs begin in the order in which their bundles are ready. */
let built: Bundle;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { slowIdleMs: 200 } });
  built = await bundleOf(counting);
  quickAlone = sandbox.processIds.length;
});
afterAll(() => sandbox.close());

/** Emits the number of runs counted in its module and in its db. */
const counting = source(
  `await new Promise((resolve) => setTimeout(resolve, event.waitMs ?? 0));
   this.db.set('runs', (this.db.get('runs') ?? 0) + 1);
   this.$emit([++warm, this.db.get('runs')]);`,
  'let warm = 0; ',
);

interface Order {
  readonly sourceId: string;
  readonly pace: Pace;
  readonly waitMs?: number;
  readonly runs?: number;
  readonly what?: Invocation['what'];
}

const run = ({ sourceId, pace, waitMs = 0, runs = 0, what = 'run' }: Order): Promise<InvocationOutcome> =>
  sandbox.invoke({
    sourceId,
    revision: 1,
    bundle: () => Promise.resolve(built),
    what,
    event: { waitMs },
    props: {},
    pace,
    db: () => ({ runs: String(runs) }),
    onRespond: () => {},
  });

const emittedValue = async (running: Promise<InvocationOutcome>): Promise<unknown> => (await running).emits[0]?.event;

it('moves a source to the processes of its pace, with its committed db, when it is idle', async () => {
  const sourceId = 'dc_moving';
  expect(await emittedValue(run({ sourceId, pace: 'quick' }))).toEqual([1, 1]);
  const slow = run({ sourceId, pace: 'slow', runs: 1, waitMs: 300 });
  expect(sandbox.capacity('slow').used).toBe(1);
  const beside = run({ sourceId, pace: 'quick', what: 'activate' });
  expect(await emittedValue(slow)).toEqual([1, 2]);
  expect(await beside).toMatchObject({ end: 'finished' });
  expect(await emittedValue(run({ sourceId, pace: 'quick', runs: 2 }))).toEqual([1, 3]);
  expect(await emittedValue(run({ sourceId, pace: 'slow', runs: 3 }))).toEqual([1, 4]);
}, 30_000);

it('ends the process of slow sources after an idle time, and starts it again for the next slow run', async () => {
  const hasEnded = async (): Promise<void> => {
    while (sandbox.processIds.length > quickAlone) await sleep(20);
  };
  await hasEnded();
  for (const n of [1, 2]) {
    expect(await emittedValue(run({ sourceId: `dc_slow_${n}`, pace: 'slow', waitMs: 500 }))).toEqual([1, 1]);
    expect(sandbox.processIds).toHaveLength(quickAlone + 1);
    await hasEnded();
  }
}, 30_000);
