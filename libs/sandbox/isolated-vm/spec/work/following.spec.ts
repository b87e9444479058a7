// Runs follow one another in their runner, without a round trip to the product.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import type { Bundle } from '../../../../packages/packages.ts';
import type { Invocation, InvocationOutcome } from '../../../sandbox.ts';
import { bundleOf, cacheDir, source } from '../harness.ts';

let sandbox: IsolatedVmSandbox;
/** Built once, because a source's runs begin in the order in which their bundles are ready. */
let built: Bundle;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { sliceMs: 300, runWallMs: 2_000 } });
  built = await bundleOf(chained);
});
afterAll(() => sandbox.close());

/** A source whose runs use what earlier ones have left: in the module, in the db, and running. */
const chained = source(
  `if (event.burn) for (;;);
   if (event.hang) await new Promise(() => {});
   await new Promise((resolve) => setTimeout(resolve, event.waitMs ?? 0));
   setInterval(() => late++, 1);
   this.db.set('runs', (this.db.get('runs') ?? 0) + 1);
   console.log('n ' + event.n);
   this.$emit([event.n, ++warm, this.db.get('runs'), late]);`,
  'let warm = 0; let late = 0; ',
);

interface RunOptions {
  readonly sourceId: string;
  readonly event?: object;
  readonly db?: Record<string, string>;
}

const run = (
  { sourceId, event = {}, db = {} }: RunOptions,
  more: Partial<Invocation> = {},
): Promise<InvocationOutcome> =>
  sandbox.invoke({
    sourceId,
    revision: 1,
    bundle: () => Promise.resolve(built),
    what: 'run',
    event: event as never,
    props: {},
    db: () => db,
    onRespond: () => {},
    ...more,
  });

const emittedEvents = (outcomes: readonly InvocationOutcome[]): unknown[] =>
  outcomes.map(({ emits }) => emits[0]?.event);

it('runs queued runs in order, each with its own console and writes and without leftovers', async () => {
  const sourceId = 'dc_chain';
  await run({ sourceId, event: { n: 0 } });
  const outcomes = await Promise.all([
    run({ sourceId, event: { n: 1, waitMs: 50 } }),
    ...[2, 3, 4].map((n) => run({ sourceId, event: { n, waitMs: 5 } }, { follows: true })),
  ]);
  expect(emittedEvents(outcomes)).toEqual([
    [1, 2, 2, 0],
    [2, 3, 3, 0],
    [3, 4, 4, 0],
    [4, 5, 5, 0],
  ]);
  expect(outcomes.map(({ console }) => console.map(({ text }) => text))).toEqual([['n 1'], ['n 2'], ['n 3'], ['n 4']]);
  expect(outcomes.map(({ dbWrites }) => dbWrites)).toEqual([2, 3, 4, 5].map((runs) => [['runs', String(runs)]]));
  expect(outcomes.every(({ durationMs }) => durationMs < 1_000)).toBe(true);
});

it.each(['burn', 'hang'])(
  'loses runs queued behind one that is stopped because it %ss, without having begun them',
  async (how) => {
    const sourceId = `dc_${how}`;
    await run({ sourceId, event: { n: 0 } });
    const outcomes = await Promise.all([
      run({ sourceId, event: { [how]: true } }),
      ...[1, 2].map((n) => run({ sourceId, event: { n } }, { follows: true })),
    ]);
    expect(outcomes.map(({ end }) => end)).toEqual(['timed_out', 'lost', 'lost']);
    expect(emittedEvents([await run({ sourceId, event: { n: 1 }, db: { runs: '1' } })])).toEqual([[1, 1, 2, 0]]);
  },
);

it('gives each queued run the whole time limit', async () => {
  const sourceId = 'dc_long';
  await run({ sourceId, event: { n: 0 } });
  const outcomes = await Promise.all([
    run({ sourceId, event: { n: 1, waitMs: 1_200 } }),
    ...[2, 3].map((n) => run({ sourceId, event: { n, waitMs: 1_200 } }, { follows: true })),
  ]);
  expect(outcomes.map(({ end }) => end)).toEqual(['finished', 'finished', 'finished']);
});

it('loses a run queued in a missing instance, and one waiting in an instance that is unloaded', async () => {
  expect(await run({ sourceId: 'dc_none' }, { follows: true })).toMatchObject({ end: 'lost' });
  const sourceId = 'dc_unloaded';
  await run({ sourceId, event: { n: 0 } });
  const outcomes = [run({ sourceId, event: { n: 1, waitMs: 1_000 } }), run({ sourceId }, { follows: true })];
  await sandbox.unload(sourceId);
  expect((await Promise.all(outcomes)).map(({ end }) => end)).toEqual(['lost', 'lost']);
});

it('loses all runs of a source when its process is killed, and they run again in order', async () => {
  const sourceId = 'dc_killed';
  await run({ sourceId, event: { n: 0 } });
  const outcomes = [
    run({ sourceId, event: { n: 1, waitMs: 1_500 } }),
    ...[2, 3].map((n) => run({ sourceId, event: { n } }, { follows: true })),
  ];
  for (const pid of sandbox.processIds) process.kill(pid, 'SIGKILL');
  expect((await Promise.all(outcomes)).map(({ end }) => end)).toEqual(['lost', 'lost', 'lost']);
  const again = [];
  for (const n of [1, 2, 3]) again.push(await run({ sourceId, event: { n }, db: { runs: '1' } }));
  expect(again.map(({ end }) => end)).toEqual(['finished', 'finished', 'finished']);
});
