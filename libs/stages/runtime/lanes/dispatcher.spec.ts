// In which order triggers run and end, which follow others, and which are repeated when one is lost.
import { RunAdmission } from '../admission/run-admission.ts';
import { PaceRecords } from '../admission/pace-records.ts';
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { TriggerResult } from '../outcome/trigger-result.ts';
import { TriggerDispatcher } from './dispatcher.ts';
import type { ExecutionMode } from './dispatcher-options.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

const trigger = (offset: number, sourceId: string, lane: QueuedTrigger['lane'] = 'runs'): QueuedTrigger => ({
  offset,
  sourceId,
  workspace: 'o_1',
  lane,
  kind: lane === 'runs' ? 'http' : 'activate',
  revision: 1,
  bytes: 1,
  record: undefined,
  losses: 0,
});

interface Run {
  readonly trigger: QueuedTrigger;
  readonly mode: ExecutionMode;
  readonly end: (result: TriggerResult | undefined) => void;
}

const capacity = () => ({ total: 1_000, used: 0 });
const admissionOptions = {
  quickMax: 2,
  newMax: 2,
  heavyMax: 2,
  quickMs: 500,
  newReserve: 0,
  slowReserve: 0,
  room: capacity,
};

let runs: Run[];
let ended: number[];
let failures: string[];
let overtaken: (readonly number[])[];
let concurrency: number;
let settings: () => SourceSettings;
let isRunnable: (trigger: QueuedTrigger) => boolean;
let isolateOf: (trigger: QueuedTrigger) => unknown;
const newDispatcher = (options = admissionOptions): TriggerDispatcher =>
  new TriggerDispatcher({
    admission: {
      runs: new RunAdmission(options),
      hooks: new RunAdmission(options),
      calls: new RunAdmission(options),
      paces: new PaceRecords({ quickMs: 500, quickCpuMs: 100, heavyCpuMs: 500 }),
    },
    window: { count: 4, bytes: 100 },
    isRunnable: (one) => isRunnable(one),
    settingsOf: () => settings(),
    isolateFor: (one) => isolateOf(one),
    canStart: () => true,
    repeatDelayMs: () => 0,
    execute: (one, mode) => {
      const { promise, resolve } = Promise.withResolvers<TriggerResult | undefined>();
      runs.push({ trigger: one, mode, end: resolve });
      return promise;
    },
    canBuffer: () => true,
    onBuffered: () => {},
    readBack: async () => [],
    onFinished: ({ offset }, _finished, earlier) => {
      ended.push(offset);
      overtaken.push(earlier);
    },
    fail: (error) => failures.push(error.message),
  });

beforeEach(() => {
  runs = [];
  ended = [];
  failures = [];
  overtaken = [];
  concurrency = 1;
  const settingsByConcurrency = new Map<number, SourceSettings>();
  settings = () => {
    if (!settingsByConcurrency.has(concurrency)) settingsByConcurrency.set(concurrency, { concurrency });
    return settingsByConcurrency.get(concurrency) as SourceSettings;
  };
  isRunnable = () => true;
  isolateOf = () => 1;
});

const resultOf = (queued: QueuedTrigger, isWarm = true): TriggerResult =>
  ({ queued, isWarm, used: { durationMs: 1, cpuMs: 1 }, bytes: 1 }) as unknown as TriggerResult;

const afterTurn = (): Promise<void> => new Promise(setImmediate);

/** Ends all runs that are in progress. */
async function end(how: (run: Run) => TriggerResult | undefined = (run) => resultOf(run.trigger)): Promise<void> {
  for (const run of runs.splice(0)) run.end(how(run));
  await afterTurn();
}

const offsets = (): number[] => runs.map((run) => run.trigger.offset);
const follows = (): boolean[] => runs.map(({ mode }) => mode.follows);

test('runs each lane of a source in order, and forgets a source with nothing left to run', async () => {
  const dispatcher = newDispatcher();
  for (const offset of [0, 1, 2, 3]) dispatcher.add(trigger(offset, `dc_${offset % 3}`));
  dispatcher.add(trigger(4, 'dc_0', 'hooks'));
  expect(dispatcher.sourceCount).toBe(3);
  expect(offsets()).toEqual([0, 1, 4]);
  while (runs.length > 0) await end();
  expect(ended.filter((offset) => [0, 3].includes(offset))).toEqual([0, 3]);
  expect(ended).toHaveLength(5);
  expect(dispatcher.sourceCount).toBe(0);
});

test('calls run in parallel with runs but never before their turn, and a hook that must run alone waits for both', async () => {
  const dispatcher = newDispatcher();
  for (const offset of [0, 1]) dispatcher.add(trigger(offset, 'dc_0'));
  for (const offset of [2, 3]) dispatcher.add(trigger(offset, 'dc_0', 'calls'));
  isRunnable = ({ lane }) => lane !== 'hooks' || dispatcher.running('dc_0').length === 0;
  dispatcher.add(trigger(4, 'dc_0', 'hooks'));
  expect(offsets()).toEqual([0, 2]);
  while (ended.length < 2) await end(({ trigger: one }) => resultOf(one, false));
  expect([...ended, ...offsets()].toSorted()).toEqual([0, 1, 2, 3]);
  while (runs.length > 0) await end(({ trigger: one }) => resultOf(one));
  expect(ended.at(-1)).toBe(4);
  expect([dispatcher.sourceCount, dispatcher.has('dc_0'), dispatcher.isRunning('dc_0')]).toEqual([0, false, false]);
});

test('a trigger that cannot run yet leaves its place to others, and runs once it can', async () => {
  const dispatcher = newDispatcher();
  for (const offset of [0, 1, 2, 3]) dispatcher.add(trigger(offset, `dc_${offset}`));
  expect(offsets()).toEqual([0, 1]);
  isRunnable = ({ sourceId }) => sourceId !== 'dc_2';
  await end();
  expect(offsets()).toEqual([3]);
  isRunnable = () => true;
  dispatcher.wake();
  expect(offsets()).toEqual([3, 2]);
  await end();
  expect([ended, dispatcher.sourceCount]).toEqual([[0, 1, 3, 2], 0]);
});

test('after a quick run the next ones are sent ahead, up to the size of the window', async () => {
  const dispatcher = newDispatcher();
  for (let offset = 0; offset < 10; offset++) dispatcher.add(trigger(offset, 'dc_0'));
  expect([offsets(), follows()]).toEqual([[0], [false]]);
  await end();
  expect([offsets(), follows()]).toEqual([
    [1, 2, 3, 4],
    [false, true, true, true],
  ]);
  runs.shift()?.end(resultOf(trigger(1, 'dc_0')));
  await afterTurn();
  expect(offsets()).toEqual([2, 3, 4, 5]);
  while (runs.length > 0) await end();
  expect(ended).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('runs end in their order, whatever the order in which their results arrive', async () => {
  const dispatcher = newDispatcher();
  for (let offset = 0; offset < 5; offset++) dispatcher.add(trigger(offset, 'dc_0'));
  await end();
  for (const run of runs.splice(0).reverse()) {
    run.end(resultOf(run.trigger));
    await afterTurn();
  }
  expect(ended).toEqual([0, 1, 2, 3, 4]);
});

test('after a loss, the lost run and those after it are repeated in order, and only the lost one counts a loss', async () => {
  const dispatcher = newDispatcher();
  const triggers = [0, 1, 2, 3, 4].map((offset) => trigger(offset, 'dc_0'));
  for (const one of triggers) dispatcher.add(one);
  await end();
  const [first, ...later] = runs.splice(0);
  first?.end(undefined);
  await afterTurn();
  expect(offsets()).toEqual([]);
  for (const run of later) run.end(undefined);
  await afterTurn();
  expect([offsets(), follows()]).toEqual([[1], [false]]);
  expect(triggers.map(({ losses }) => losses)).toEqual([0, 1, 0, 0, 0]);
  while (runs.length > 0) await end();
  expect(ended).toEqual([0, 1, 2, 3, 4]);
});

test('a run that could not follow counts no loss, and later ones wait for it', async () => {
  const dispatcher = newDispatcher();
  const late = trigger(2, 'dc_0');
  for (const one of [trigger(0, 'dc_0'), trigger(1, 'dc_0'), late]) dispatcher.add(one);
  await end();
  expect(offsets()).toEqual([1, 2]);
  runs.pop()?.end(undefined);
  await afterTurn();
  dispatcher.add(trigger(3, 'dc_0'));
  expect(offsets()).toEqual([1]);
  await end();
  expect([offsets(), follows(), late.losses]).toEqual([[2], [false], 0]);
  while (runs.length > 0) await end();
  expect(ended).toEqual([0, 1, 2, 3]);
});

test('sends no run ahead after a slow run, after a hook, across revisions, or if it must be read back', async () => {
  const dispatcher = newDispatcher();
  isolateOf = ({ offset }) => (offset === 3 ? undefined : offset < 2 ? 1 : 2);
  for (const offset of [0, 1, 2, 3, 4]) dispatcher.add(trigger(offset, 'dc_0'));
  for (const offset of [5, 6]) dispatcher.add(trigger(offset, 'dc_1', 'hooks'));
  const seen: number[][] = [];
  while (runs.length > 0) {
    seen.push(offsets());
    await end((run) => resultOf(run.trigger, run.trigger.offset !== 4));
  }
  expect(seen).toEqual([[0, 5], [1, 6], [2], [3], [4]]);
  for (const offset of [7, 8]) dispatcher.add(trigger(offset, 'dc_0'));
  expect(offsets()).toEqual([7]);
});

test('a busy source passes its place on when another source waits for it', async () => {
  const dispatcher = newDispatcher({ ...admissionOptions, quickMax: 1, newMax: 1 });
  for (let offset = 0; offset < 100; offset++) dispatcher.add(trigger(offset, 'dc_busy'));
  await end();
  dispatcher.add(trigger(100, 'dc_other'));
  while (!ended.includes(100)) await end();
  expect(ended.length).toBeLessThan(10);
  while (runs.length > 0) await end();
  expect(ended).toHaveLength(101);
});

test('a result for a run after a lost one fails the task, since that run must never count twice', async () => {
  const dispatcher = newDispatcher();
  for (const offset of [0, 1, 2]) dispatcher.add(trigger(offset, 'dc_0'));
  await end();
  await end((run) => (run.trigger.offset === 1 ? undefined : resultOf(run.trigger)));
  expect([ended, failures.length]).toEqual([[0], 1]);
});

const takeRun = (offset: number): Run => {
  const [run] = runs.splice(
    runs.findIndex((one) => one.trigger.offset === offset),
    1,
  );
  if (run === undefined) throw new Error(`${offset} does not run`);
  return run;
};

async function endOne(
  offset: number,
  how: (one: QueuedTrigger) => TriggerResult | undefined = resultOf,
): Promise<void> {
  const run = takeRun(offset);
  run.end(how(run.trigger));
  await afterTurn();
}

/** A source moves to other places when it becomes known to be quick. */
async function runOnce(dispatcher: TriggerDispatcher): Promise<void> {
  dispatcher.add(trigger(0, 'dc_0'));
  await end();
  ended = [];
  overtaken = [];
}

test('as many runs of a source as its concurrency allows run in parallel, slow ones too, and end independently', async () => {
  concurrency = 3;
  const dispatcher = newDispatcher();
  await runOnce(dispatcher);
  for (let offset = 1; offset < 7; offset++) dispatcher.add(trigger(offset, 'dc_0'));
  expect([offsets(), follows()]).toEqual([
    [1, 2, 3],
    [false, false, false],
  ]);
  expect(runs.every(({ mode }) => mode.concurrent)).toBe(true);
  await endOne(3, (one) => resultOf(one, false));
  await endOne(2);
  expect(offsets()).toEqual([1, 4, 5]);
  await endOne(1);
  while (runs.length > 0) await end();
  expect(ended).toEqual([3, 2, 1, 4, 5, 6]);
  expect(overtaken.slice(0, 3)).toEqual([[1, 2], [1], []]);
  expect(dispatcher.sourceCount).toBe(0);
});

test('hooks, runs of another revision, and runs that must wait do not run in parallel', async () => {
  concurrency = 4;
  isolateOf = ({ offset }) => (offset < 2 ? 1 : 2);
  isRunnable = ({ offset }) => offset !== 4;
  const dispatcher = newDispatcher();
  for (const offset of [0, 1, 2, 3, 4]) dispatcher.add(trigger(offset, 'dc_0'));
  for (const offset of [5, 6]) dispatcher.add(trigger(offset, 'dc_0', 'hooks'));
  expect(offsets()).toEqual([0, 1, 5]);
  await end();
  expect(offsets()).toEqual([2, 3, 6]);
  await end();
  expect(offsets()).toEqual([]);
  isRunnable = () => true;
  dispatcher.wake();
  expect(offsets()).toEqual([4]);
});

test('after a change of settings, the next runs wait until the earlier ones have ended', async () => {
  concurrency = 2;
  const dispatcher = newDispatcher();
  await runOnce(dispatcher);
  for (const offset of [1, 2, 3, 4, 5]) dispatcher.add(trigger(offset, 'dc_0'));
  concurrency = 3;
  await endOne(1);
  expect(offsets()).toEqual([2]);
  await endOne(2);
  expect(offsets()).toEqual([3, 4, 5]);
  await end();
});

test('lost parallel runs are repeated one by one, and those that ended are not repeated', async () => {
  concurrency = 4;
  const dispatcher = newDispatcher();
  await runOnce(dispatcher);
  const triggers = [1, 2, 3, 4, 5].map((offset) => trigger(offset, 'dc_0'));
  for (const one of triggers) dispatcher.add(one);
  await endOne(2);
  expect(offsets()).toEqual([1, 3, 4, 5]);
  await endOne(1, () => undefined);
  await endOne(4);
  await endOne(5, () => undefined);
  expect(offsets()).toEqual([3]);
  await endOne(3, () => undefined);
  expect([offsets(), triggers.map(({ losses }) => losses)]).toEqual([[1], [1, 0, 1, 0, 1]]);
  const batches: number[][] = [];
  while (runs.length > 0) {
    batches.push(offsets());
    await end();
  }
  expect([batches, ended, failures]).toEqual([[[1], [3], [5]], [2, 4, 1, 3, 5], []]);
});

test('a source with parallel runs passes its place on when another waits for it', async () => {
  concurrency = 4;
  const dispatcher = newDispatcher({ ...admissionOptions, quickMax: 1, newMax: 1 });
  for (let offset = 0; offset < 100; offset++) dispatcher.add(trigger(offset, 'dc_busy'));
  await end();
  dispatcher.add(trigger(100, 'dc_other'));
  while (!ended.includes(100)) await end();
  expect(ended.length).toBeLessThan(15);
  while (runs.length > 0) await end();
  expect(ended).toHaveLength(101);
});
