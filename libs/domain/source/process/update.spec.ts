import fc from 'fast-check';
import { foldEvents, messageOf } from '../../decider.fake.ts';
import type { SourceDefinition } from '../definition/messages.ts';
import type { Json } from '../../json.ts';
import { recordOf } from '../../record/samples.fake.ts';
import { checkRecord } from '../../record/check-record.ts';
import { decideHookOutcome, decideSource, decideUnusableOutcome } from './decide.ts';
import type { SourceDecided } from './deploy.ts';
import type { Manifest } from '../../component/manifest.ts';
import type { HookEvent, HookKind, SourceCommand, SourceEvent } from '../messages.ts';
import { evolveSources, noSources, restoreSource, sourceDefinition } from '../state/sources.ts';
import type { Sources } from '../state/sources.ts';
import type { Configuration } from './configure.ts';
import { awaitedHook, awaitedRevision, acceptsRequests, mustTriggersWait } from '../state/source.ts';
import type { Source } from '../state/source.ts';
import { versionOfDefinition, versionOfSourceEvent } from '../source-version.ts';

const sealing = {
  seal: (value: Json) => ({ $sealed: JSON.stringify(value) }),
  unseal: ({ $sealed }: { readonly $sealed: string }) => JSON.parse($sealed) as Json,
  appOf: () => undefined,
};
const manifestOf = (hooks: Manifest['hooks'], customResponse = false): Manifest => ({
  name: 'My Feed',
  version: '0.0.1',
  type: 'source',
  methods: [],
  additionalProps: false,
  hooks,
  props: [{ name: 'http', type: '$.interface.http', customResponse }],
});
const withApphook = (manifest: Manifest): Manifest => ({
  ...manifest,
  props: [{ name: 'apphook', type: '$.interface.apphook', remoteEventNames: true }],
  hooks: ['event_names', ...manifest.hooks],
});
const currentConfiguration: Configuration = { manifest: manifestOf([]), props: {} };

/** A command, or the end of a hook: one that succeeds, one that fails, or one that nobody waits for. */
type Input =
  | SourceCommand
  | 'works'
  | 'throws'
  | 'late'
  | 'described with all hooks'
  | 'described answering itself'
  | 'described with an apphook';

const source = 'dc_1';
const deploy = messageOf('DeploySource', {
  sourceId: source,
  userId: 'u_1',
  code: 'x',
  name: null,
  endpointKey: 'e',
  fingerprint: null,
  configuredProps: sealing.seal({}),
}) as SourceCommand;
const updateCommand = (changes: object): SourceCommand =>
  messageOf('UpdateSource', { sourceId: source, ...changes }) as SourceCommand;
const remove = (ignoreHookErrors: boolean): SourceCommand =>
  messageOf('DeleteSource', { sourceId: source, ignoreHookErrors }) as SourceCommand;

const commands: readonly SourceCommand[] = [
  deploy,
  updateCommand({ code: 'y' }),
  updateCommand({ code: 'y', ignoreHookErrors: true }),
  updateCommand({ code: 'y', active: false }),
  updateCommand({ active: false }),
  updateCommand({ active: true }),
  updateCommand({ name: 'Other' }),
  updateCommand({}),
  updateCommand({ configuredProps: sealing.seal({}) }),
  updateCommand({ configuredProps: sealing.seal({ nope: 1 }), active: true }),
  remove(false),
  remove(true),
];
const outcomes = [
  ...(['works', 'throws', 'late'] as const),
  ...(['described with all hooks', 'described answering itself', 'described with an apphook'] as const),
] as const;

function outcomeOf(state: Sources, input: Exclude<Input, SourceCommand>): HookEvent | undefined {
  const known = state.byId.get(source);
  const kind = known === undefined ? undefined : awaitedHook(known);
  if (known === undefined || kind === undefined) return undefined;
  const data = { sourceId: source, revision: awaitedRevision(known), console: [] };
  if (input === 'late') return messageOf('HookSucceeded', { ...data, revision: data.revision + 1, kind }) as HookEvent;
  if (input === 'throws')
    return messageOf('HookFailed', { ...data, kind, error: { name: 'E', message: 'm' } }) as HookEvent;
  if (kind === 'event_names') return messageOf('HookSucceeded', { ...data, kind, eventNames: ['a'] }) as HookEvent;
  if (kind !== 'describe') return messageOf('HookSucceeded', { ...data, kind }) as HookEvent;
  const hooks: readonly HookKind[] = input === 'works' ? [] : ['deploy', 'activate', 'deactivate'];
  const described = manifestOf(hooks as Manifest['hooks'], input === 'described answering itself');
  const manifest = input === 'described with an apphook' ? withApphook(described) : described;
  return messageOf('SourceDescribed', { ...data, manifest }) as HookEvent;
}

interface Step {
  readonly state: Sources;
  readonly decided: readonly SourceDecided[];
}

function step(state: Sources, input: Input): Step {
  const message = typeof input === 'string' ? outcomeOf(state, input) : input;
  if (message === undefined) return { state, decided: [] };
  const decided =
    typeof input === 'string'
      ? decideHookOutcome(state, message as HookEvent, { at: 0, ...sealing, currentConfiguration })
      : decideSource(state, message as SourceCommand, { at: 0 });
  if (typeof input === 'string') evolveSources(state, message as HookEvent);
  const events = decided.filter(({ type }) => type !== 'TriggerRequested');
  foldEvents(
    state,
    evolveSources,
    events.map(({ type, data }) => messageOf(type, data) as SourceEvent),
  );
  return { state, decided };
}

const deployed: readonly Input[] = [deploy, 'described with all hooks', 'works', 'works'];
const anything = fc.oneof(
  { arbitrary: fc.constantFrom<Input>(...commands), weight: 1 },
  { arbitrary: fc.constantFrom<Input>(...outcomes), weight: 2 },
);
const inputs = fc.array(anything, { maxLength: 40, size: 'max' }).map((all) => [...deployed, ...all]);
const stateAfter = (all: readonly Input[]): Sources =>
  all.reduce((state, input) => step(state, input).state, noSources());
const definitionIn = (state: Sources): SourceDefinition['data'] | undefined => sourceDefinition(state, source)?.data;

/** The state that another owner restores from definitions only. */
function restored(state: Sources): Sources {
  const again = noSources();
  const data = definitionIn(state);
  if (data !== undefined) restoreSource(again, messageOf('SourceDefined', data, { workspace: 'o_home' }));
  return again;
}

test('a definition alone restores a source at any step of its process', () => {
  fc.assert(
    fc.property(inputs, (all) => {
      const state = stateAfter(all);
      expect(restored(state).byId).toEqual(state.byId);
      const data = definitionIn(state);
      if (data !== undefined) expect(checkRecord('sources', recordOf('SourceDefined', data))).toBeUndefined();
    }),
  );
});

test('an interrupted process ends once its hooks have ended, and the source accepts the next command', () => {
  fc.assert(
    fc.property(inputs, fc.array(fc.constantFrom<Input>(...outcomes.slice(0, 2))), (all, ends) => {
      const state = restored(stateAfter(all));
      for (const end of [...ends, ...Array.from({ length: 6 }, () => 'works' as const)]) step(state, end);
      const known = state.byId.get(source);
      expect(known?.status ?? 'gone').toMatch(/^(deployed|gone)$/);
      expect(known?.update ?? null).toBeNull();
    }),
  );
});

test('every update is answered once, and no hook begins before the previous one has ended', () => {
  const endings = new Set(['SourceUpdated', 'SourceUpdateRefused']);
  fc.assert(
    fc.property(inputs, (all) => {
      const state = noSources();
      let open = 0;
      for (const input of all) {
        const wasBusy = state.byId.get(source) !== undefined && state.byId.get(source)?.status !== 'deployed';
        const { decided } = step(state, input);
        if (typeof input !== 'string' && input.type === 'UpdateSource') open++;
        open -= decided.filter(({ type }) => endings.has(type)).length;
        const begun = decided.filter(({ type }) => type === 'TriggerRequested');
        expect(begun.length).toBeLessThanOrEqual(typeof input === 'string' || !wasBusy ? 1 : 0);
      }
      expect(open).toBe(state.byId.get(source)?.status === 'updating' ? 1 : 0);
    }),
  );
});

test('a revision is never reused, and a swap is recorded before activate runs', () => {
  fc.assert(
    fc.property(inputs, (all) => {
      const state = noSources();
      const seen = new Map<string, number>();
      for (const input of all) {
        for (const { type, data } of step(state, input).decided) {
          if (type === 'SourceUpdating' && data.revision > (seen.get('stands') ?? 0)) {
            expect(data.revision).toBeGreaterThan(seen.get('last') ?? 0);
            seen.set('last', data.revision);
          }
          if (type === 'SourceDeploying') seen.set('last', data.revision).set('stands', data.revision);
          if (type === 'SourceSwapped' || type === 'SourceSwappedBack') seen.set('stands', data.revision);
          if (type === 'SourceDeleted') seen.clear();
          if (type === 'TriggerRequested' && data.kind === 'activate') expect(data.revision).toBe(seen.get('stands'));
        }
      }
    }),
  );
});

test('triggers wait from deactivate to the outcome, except in activate of a source that answers itself', () => {
  const at = (...all: readonly Input[]): Source | undefined => stateAfter(all).byId.get(source);
  const all = ['described with all hooks', 'works', 'works'] as const;
  const [plain, answering] = [
    [deploy, ...all],
    [deploy, 'described answering itself', 'works', 'works'],
  ] as const;
  const waits = (...inputs_: readonly Input[]): readonly (boolean | undefined)[] => {
    const known = at(...inputs_);
    return known === undefined ? [undefined] : [mustTriggersWait(known), acceptsRequests(known)];
  };
  expect(waits(...plain)).toEqual([false, true]);
  expect(waits(...plain, updateCommand({ code: 'y' }))).toEqual([false, true]);
  expect(waits(...plain, updateCommand({ code: 'y' }), 'described with all hooks')).toEqual([true, true]);
  expect(waits(...plain, updateCommand({ code: 'y' }), 'described with all hooks', 'works')).toEqual([true, true]);
  expect(waits(...plain, updateCommand({ code: 'y' }), 'described answering itself', 'works')).toEqual([false, true]);
  expect(waits(...answering, updateCommand({ active: false }))).toEqual([true, true]);
  expect(waits(...answering, updateCommand({ active: false }), 'works')).toEqual([false, false]);
  expect(waits(...answering, updateCommand({ active: false }), 'works', updateCommand({ active: true }))).toEqual([
    false,
    true,
  ]);
  expect(waits(...plain, updateCommand({ active: false }), 'works', updateCommand({ active: true }))).toEqual([
    true,
    true,
  ]);
  expect(waits(...plain, updateCommand({ active: false }), 'works', updateCommand({ active: true }), 'throws')).toEqual(
    [false, false],
  );
});

test('only records that earlier programs would misread have a new version', () => {
  const version = (...all: readonly Input[]): number => {
    const defined = sourceDefinition(stateAfter(all), source);
    return defined === undefined ? 0 : versionOfDefinition(defined);
  };
  const plain = [deploy, 'described with all hooks', 'works', 'works'] as const;
  expect([version(deploy), version(...plain), version(...plain, remove(false))]).toEqual([1, 1, 1]);
  expect(version(...plain, updateCommand({ name: 'Other' }))).toBe(1);
  expect(version(...plain, updateCommand({ active: false }))).toBe(2);
  expect(version(...plain, updateCommand({ active: false }), 'works')).toBe(2);
  expect(version(...plain, updateCommand({ code: 'y' }), 'throws')).toBe(2);
  const configured = { sourceId: source, revision: 2, manifest: manifestOf([]), props: {} };
  expect(versionOfSourceEvent({ type: 'SourceConfigured', data: configured })).toBe(2);
  expect(versionOfSourceEvent({ type: 'SourceConfigured', data: { ...configured, name: 'n', nameSlug: 'n' } })).toBe(1);
  expect(versionOfSourceEvent({ type: 'SourceUpdated', data: {} })).toBe(2);
  const [muted, talking] = [{ settings: { emitOnDeploy: false } }, { settings: { emitOnDeploy: true } }];
  for (const type of ['DeploySource', 'UpdateSource', 'SourceDeploying', 'SourceUpdating', 'SourceUpdated'])
    expect([versionOfSourceEvent({ type, data: muted }), versionOfSourceEvent({ type, data: talking })]).toEqual([
      7,
      versionOfSourceEvent({ type, data: { settings: {} } }),
    ]);
  expect(version(...plain, updateCommand(muted))).toBe(7);
  expect(version(...plain, updateCommand({ ...muted, code: 'y' }))).toBe(7);
  expect(version(...plain, updateCommand(talking))).toBe(2);
  expect(version(deploy, 'described with an apphook')).toBe(7);
  const hooked = { sourceId: source, revision: 1, manifest: withApphook(manifestOf([])) };
  for (const type of ['SourceDescribed', 'SourceConfigured'])
    expect(versionOfSourceEvent({ type, data: hooked })).toBe(7);
  expect(versionOfSourceEvent({ type: 'SourceDeployed', data: { eventNames: null } })).toBe(7);
});

test('the event names of an apphook are asked for before each activate, and triggers wait for the answer', () => {
  const at = (...all: readonly Input[]): Source | undefined => stateAfter(all).byId.get(source);
  const progressOf = (...all: readonly Input[]): unknown => {
    const known = at(...all);
    const named = known?.apphook?.eventNames;
    return (
      known && [awaitedHook(known), awaitedRevision(known), acceptsRequests(known), mustTriggersWait(known), named]
    );
  };
  const described = [deploy, 'described with an apphook'] as const;
  expect(progressOf(...described)).toEqual(['event_names', 1, true, false, null]);
  expect(progressOf(...described, 'works')).toEqual(['deploy', 1, true, false, ['a']]);
  const standingOne = [...described, 'works', 'works', 'works'] as const;
  expect(progressOf(...standingOne)).toEqual([undefined, 1, true, false, ['a']]);
  const updated = [...standingOne, updateCommand({ code: 'y' }), 'described with an apphook', 'works'] as const;
  expect(progressOf(...updated)).toEqual(['event_names', 2, true, true, null]);
  expect(progressOf(...updated, 'works')).toEqual(['activate', 2, true, true, ['a']]);
  const { decided } = step(stateAfter([...updated, 'works']), 'works');
  expect(decided).toMatchObject([{ type: 'SourceUpdated', data: { revision: 2, eventNames: ['a'] } }]);
  expect(progressOf(...updated, 'throws')).toEqual(['event_names', 1, true, true, ['a']]);
  expect(progressOf(...updated, 'throws', 'works', 'works')).toEqual([undefined, 1, true, false, ['a']]);
  const plain = [...standingOne, updateCommand({ code: 'y' }), 'described with all hooks', 'works', 'works'] as const;
  expect(at(...plain)?.apphook).toBeNull();
  const off = [...standingOne, updateCommand({ active: false }), 'works'] as const;
  expect(progressOf(...off)).toEqual([undefined, 1, false, false, ['a']]);
  expect(progressOf(...off, updateCommand({ active: true }))).toEqual(['event_names', 1, false, true, ['a']]);
  expect(progressOf(...off, updateCommand({ active: true }), 'works')).toEqual(['activate', 1, true, true, ['a']]);
});

test('when the outcome of a hook cannot be read, the update still ends, and no hook is requested twice', () => {
  const begun = [deploy, 'described with all hooks', 'works', 'works'] as const;
  const updates = [
    [updateCommand({ code: 'y', ignoreHookErrors: true }), 'described with all hooks'],
    [updateCommand({ code: 'y' }), 'described with all hooks'],
    [updateCommand({ active: false, ignoreHookErrors: true })],
    [updateCommand({ active: false })],
  ] as const;
  for (const update of updates) {
    const state = stateAfter([...begun, ...update]);
    const awaitedHooks: string[] = [];
    for (let outcome = 0; outcome < 10 && state.byId.get(source)?.status === 'updating'; outcome++) {
      const known = state.byId.get(source);
      if (known !== undefined) awaitedHooks.push(`${awaitedHook(known)} ${awaitedRevision(known)}`);
      const decided = decideUnusableOutcome(state, source, 'It is damaged.');
      const events = decided.filter(({ type }) => type !== 'TriggerRequested');
      expect(events).not.toEqual([]);
      foldEvents(
        state,
        evolveSources,
        events.map(({ type, data }) => messageOf(type, data) as SourceEvent),
      );
    }
    expect(state.byId.get(source)?.status).toBe('deployed');
    expect(new Set(awaitedHooks).size).toBe(awaitedHooks.length);
  }
});
