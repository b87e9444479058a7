import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { TriggerKind } from '../../../domain/source/messages.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { laneOf } from '../source/source-state.ts';
import type { LaneName } from '../source/source-state.ts';
import type { Definition } from '../source/definitions.ts';
import { isolateOf, planOf, waitsForOthers } from './plan.ts';
import type { Running } from './plan.ts';

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
const stands: Definition = {
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
const updating: Definition = { ...stands, isUpdating: true, next };
const waiting: Definition = { ...updating, triggersWait: true };

const plan = (of: QueuedTrigger, definition: Definition | undefined, isSettled = true) =>
  planOf(of, { definition, isSettled, key: 'known' });

test.each<[string, QueuedTrigger, Definition | undefined, boolean, string]>([
  ['a run of what stands', trigger('http', 3), stands, false, 'invoke'],
  ['one that was requested before the last swap', trigger('http', 2), stands, false, 'invoke'],
  ['one of a revision that was not read yet', trigger('http', 4), stands, false, 'unknown'],
  ['one of a revision that was swapped back', trigger('http', 4), stands, true, 'invoke'],
  ['one before deactivate', trigger('timer', 3), updating, false, 'invoke'],
  ['one from deactivate on', trigger('manual', 3), waiting, true, 'wait'],
  ['a hook of a process that was not read yet', trigger('deactivate', 3), stands, false, 'unknown'],
  ['a hook of what stands', trigger('deactivate', 3), waiting, true, 'invoke'],
  ['a hook of another revision', trigger('activate', 4), waiting, true, 'refuse'],
  ['the description of what is to come', trigger('describe', 4), updating, false, 'describe'],
  ['one that was not read yet', trigger('describe', 5), updating, false, 'unknown'],
  ['one of an update that has ended', trigger('describe', 2), stands, true, 'refuse'],
  ['an event for one that is active', trigger('event', 0), stands, true, 'invoke'],
  ['an event for one that is inactive', trigger('event', 0), { ...stands, isActive: false }, true, 'refuse'],
  ['a request that was accepted before it was', trigger('http', 3), { ...stands, isActive: false }, true, 'invoke'],
  ['an event while it is made active', trigger('event', 0), { ...waiting, isActive: false }, true, 'wait'],
  ['anything of a source that is gone', trigger('activate', 3), undefined, true, 'refuse'],
  ['anything of a source that was not read yet', trigger('http', 3), undefined, false, 'unknown'],
])('%s', (...[, of, definition, isSettled, kind]) => {
  expect(plan(of, definition, isSettled).kind).toBe(kind);
});

test('events for an inactive source are refused by a name of their own', () => {
  expect(plan(trigger('event', 0), { ...stands, isActive: false })).toMatchObject({ name: 'SourceInactiveError' });
});

test('what is to come is described by its own code, without the props of what stands', () => {
  const definition = { ...updating, ...next, configuredFrom: null };
  expect(plan(trigger('describe', 4), updating)).toEqual({ kind: 'describe', definition, standing: updating });
});

const running = (name: LaneName, revision?: number, settings?: SourceSettings): Running => ({
  name,
  runsOn: revision === undefined ? undefined : isolateOf({ revision, ...(settings ? { settings } : {}) }),
});

test('deactivate waits for all runs, activate for those on another revision, and a deploy for none', () => {
  expect(waitsForOthers(trigger('deactivate', 3), waiting, [running('runs', 3)])).toBe(true);
  expect(waitsForOthers(trigger('deactivate', 3), waiting, [])).toBe(false);
  expect(waitsForOthers(trigger('activate', 3), updating, [running('runs', 3)])).toBe(false);
  expect(waitsForOthers(trigger('activate', 3), updating, [running('runs', 2)])).toBe(true);
  expect(waitsForOthers(trigger('activate', 3), updating, [running('runs', 3), running('calls', 2)])).toBe(true);
  expect(waitsForOthers(trigger('activate', 3), updating, [running('runs')])).toBe(true);
  expect(waitsForOthers(trigger('describe', 4), updating, [running('runs', 3)])).toBe(false);
  expect(waitsForOthers(trigger('activate', 3), stands, [running('runs', 2)])).toBe(false);
});

test('a run waits for a call in another isolate, and a call for such a run', () => {
  const small: SourceSettings = { memoryMb: 64 };
  for (const [kind, own, other] of [
    ['manual', 'runs', 'calls'],
    ['sample', 'calls', 'runs'],
  ] as const) {
    const waits = (...beside: readonly Running[]): boolean => waitsForOthers(trigger(kind, 3), stands, beside);
    expect(waits(running(other, 3))).toBe(false);
    expect(waits(running(other, 2))).toBe(true);
    expect(waits(running(other, 3, small))).toBe(true);
    expect(waits(running(other))).toBe(true);
    expect(waits(running(own, 2))).toBe(false);
  }
});
