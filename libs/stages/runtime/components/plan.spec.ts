import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { TriggerKind } from '../../../domain/source/messages.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { laneOf } from '../source/source-state.ts';
import type { LaneName } from '../source/source-state.ts';
import type { Definition } from '../source/definitions.ts';
import { isolateOf, decidePlan, mustWaitForOthers } from './plan.ts';
import type { RunningLane } from './plan.ts';

const trigger = (kind: TriggerKind, revision: number): QueuedTrigger => ({
  offset: 7,
  sourceId: 'dc_1',
  workspace: 'o_1',
  lane: laneOf(kind),
  kind,
  revision,
  bytes: 1,
  record: undefined,
  losses: 0,
});
const deployed: Definition = {
  sourceId: 'dc_1',
  endpointKey: 'e',
  revision: 3,
  codeFrom: 1,
  codeRevision: 1,
  codeRevisions: [1],
  configuredFrom: 2,
  isActive: true,
  isUpdating: false,
  triggersWait: false,
};
const next = { revision: 4, codeFrom: 9, codeRevision: 4 };
const updating: Definition = { ...deployed, isUpdating: true, next };
const waiting: Definition = { ...updating, triggersWait: true };

const plan = (queued: QueuedTrigger, definition: Definition | undefined, isCaughtUp = true) =>
  decidePlan(queued, { definition, isCaughtUp, key: 'known' });

test.each<[string, QueuedTrigger, Definition | undefined, boolean, string]>([
  ['invokes a run of the deployed revision', trigger('http', 3), deployed, false, 'invoke'],
  ['invokes a run that was requested before the last swap', trigger('http', 2), deployed, false, 'invoke'],
  ['cannot decide yet on a run of a revision that was not read yet', trigger('http', 4), deployed, false, 'unknown'],
  ['invokes a run of a revision that was swapped back', trigger('http', 4), deployed, true, 'invoke'],
  ['invokes a run before deactivate', trigger('timer', 3), updating, false, 'invoke'],
  ['lets a run wait from deactivate on', trigger('manual', 3), waiting, true, 'wait'],
  [
    'cannot decide yet on a hook of an update that was not read yet',
    trigger('deactivate', 3),
    deployed,
    false,
    'unknown',
  ],
  ['invokes a hook of the deployed revision', trigger('deactivate', 3), waiting, true, 'invoke'],
  ['refuses a hook of another revision', trigger('activate', 4), waiting, true, 'refuse'],
  ['describes the next revision of an update', trigger('describe', 4), updating, false, 'describe'],
  [
    'cannot decide yet on the description of a revision that was not read yet',
    trigger('describe', 5),
    updating,
    false,
    'unknown',
  ],
  ['refuses the description of an update that has ended', trigger('describe', 2), deployed, true, 'refuse'],
  ['invokes an event for an active source', trigger('event', 0), deployed, true, 'invoke'],
  ['refuses an event for an inactive source', trigger('event', 0), { ...deployed, isActive: false }, true, 'refuse'],
  [
    'invokes a request that was accepted before its source became inactive',
    trigger('http', 3),
    { ...deployed, isActive: false },
    true,
    'invoke',
  ],
  [
    'lets an event wait while its source is activated',
    trigger('event', 0),
    { ...waiting, isActive: false },
    true,
    'wait',
  ],
  ['refuses any trigger of a deleted source', trigger('activate', 3), undefined, true, 'refuse'],
  [
    'cannot decide yet on any trigger of a source that was not read yet',
    trigger('http', 3),
    undefined,
    false,
    'unknown',
  ],
])('%s', (...[, queued, definition, isCaughtUp, kind]) => {
  expect(plan(queued, definition, isCaughtUp).kind).toBe(kind);
});

test('refuses events for an inactive source with SourceInactiveError', () => {
  expect(plan(trigger('event', 0), { ...deployed, isActive: false })).toMatchObject({ name: 'SourceInactiveError' });
});

test('describes the next revision by its own code, without the props of the deployed one', () => {
  const definition = { ...updating, ...next, configuredFrom: null };
  expect(plan(trigger('describe', 4), updating)).toEqual({ kind: 'describe', definition, previous: updating });
});

const runningLane = (name: LaneName, revision?: number, settings?: SourceSettings): RunningLane => ({
  name,
  isolate: revision === undefined ? undefined : isolateOf({ revision, ...(settings ? { settings } : {}) }),
});

test('in an update, deactivate waits for all runs and activate for those on another revision; a deploy waits for none', () => {
  expect(mustWaitForOthers(trigger('deactivate', 3), waiting, [runningLane('runs', 3)])).toBe(true);
  expect(mustWaitForOthers(trigger('deactivate', 3), waiting, [])).toBe(false);
  expect(mustWaitForOthers(trigger('activate', 3), updating, [runningLane('runs', 3)])).toBe(false);
  expect(mustWaitForOthers(trigger('activate', 3), updating, [runningLane('runs', 2)])).toBe(true);
  expect(mustWaitForOthers(trigger('activate', 3), updating, [runningLane('runs', 3), runningLane('calls', 2)])).toBe(
    true,
  );
  expect(mustWaitForOthers(trigger('activate', 3), updating, [runningLane('runs')])).toBe(true);
  expect(mustWaitForOthers(trigger('describe', 4), updating, [runningLane('runs', 3)])).toBe(false);
  expect(mustWaitForOthers(trigger('activate', 3), deployed, [runningLane('runs', 2)])).toBe(false);
});

test('a run waits for a call in another isolate, and a call waits for a run in another isolate', () => {
  const small: SourceSettings = { memoryMb: 64 };
  for (const [kind, own, other] of [
    ['manual', 'runs', 'calls'],
    ['sample', 'calls', 'runs'],
  ] as const) {
    const mustWait = (...running: readonly RunningLane[]): boolean =>
      mustWaitForOthers(trigger(kind, 3), deployed, running);
    expect(mustWait(runningLane(other, 3))).toBe(false);
    expect(mustWait(runningLane(other, 2))).toBe(true);
    expect(mustWait(runningLane(other, 3, small))).toBe(true);
    expect(mustWait(runningLane(other))).toBe(true);
    expect(mustWait(runningLane(own, 2))).toBe(false);
  }
});
