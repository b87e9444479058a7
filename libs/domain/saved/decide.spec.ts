import { foldEvents, messageOf } from '../decider.fake.ts';
import type { HookEvent } from '../source/messages.ts';
import type { Manifest } from '../component/manifest.ts';
import type { LogRecord } from '../message.ts';
import { answerEventOf } from '../definition/recorded-requests.ts';
import { decideSaved, decideSavedOutcome, decideUnusableSaved, savedComponentsMax } from './decide.ts';
import type { SavedDefinition, SavedEvent } from './messages.ts';
import { removeSaved, evolveSaved, noSavedComponents, restoreSaved, savedDefinition } from './saved.ts';
import type { SavedComponents } from './saved.ts';

const manifest: Manifest = {
  name: 'n',
  version: '1',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
};
const command = (componentId: string, more: object = {}) =>
  messageOf('SaveComponent', { fingerprint: null, componentId, userId: 'u_1', code: componentId, ...more });
const outcome = (sourceId: string): HookEvent =>
  messageOf('SourceDescribed', { sourceId, revision: 1, manifest, console: [] });
const failed = (sourceId: string): HookEvent =>
  messageOf('HookFailed', {
    sourceId,
    revision: 1,
    kind: 'describe' as const,
    error: { name: 'E', message: 'm' },
    console: [],
  });

const take = (state: SavedComponents, decided: readonly { type: string; data: unknown }[]): string[] => {
  const own = decided.filter(({ type }) => type.startsWith('Component'));
  foldEvents(state, evolveSaved, own.map(({ type, data }) => messageOf(type, data)) as unknown as SavedEvent[]);
  return decided.map(({ type }) => type);
};
const save = (state: SavedComponents, componentId: string, more: object = {}): string[] =>
  take(state, decideSaved(state, command(componentId, more), { at: 1 }));

test('a component is described, then saved; a repeated outcome is ignored', () => {
  const state = noSavedComponents();
  expect(save(state, 'sc_a')).toEqual(['ComponentSaving', 'TriggerRequested']);
  expect(take(state, decideSavedOutcome(state, outcome('sc_a')))).toEqual(['ComponentSaved']);
  expect(decideSavedOutcome(state, outcome('sc_a'))).toEqual([]);
  expect(decideSavedOutcome(state, failed('sc_a'))).toEqual([]);
  expect(decideUnusableSaved(state, 'sc_a', 'm')).toEqual([]);
  expect(decideSaved(state, command('sc_a'), { at: 1 })).toMatchObject([{ data: { reason: 'repeated' } }]);
});

test('saving code that is being described is refused as busy; code that failed may be saved again', () => {
  const state = noSavedComponents();
  for (const end of [
    () => decideSavedOutcome(state, failed('sc_a')),
    () => decideUnusableSaved(state, 'sc_a', 'm'),
    () =>
      decideSavedOutcome(
        state,
        messageOf('SourceDescribed', { ...outcome('sc_a').data, manifest: { ...manifest, name: ' ' } }) as HookEvent,
      ),
  ]) {
    expect(save(state, 'sc_a')).toEqual(['ComponentSaving', 'TriggerRequested']);
    expect(decideSaved(state, command('sc_a'), { at: 1 })).toMatchObject([{ data: { reason: 'busy', began: false } }]);
    expect(take(state, end())).toEqual(['ComponentSaveRefused']);
    expect([state.byId.size, state.counts.size]).toEqual([0, 0]);
  }
});

test('a request repeated during the description is answered with the id of the component being made', () => {
  const state = noSavedComponents();
  const request = { fingerprint: 'f', requestKey: 'k' };
  save(state, 'sc_a', request);
  expect(decideSaved(state, command('sc_b', request), { at: 1 })).toMatchObject([
    { data: { reason: 'repeated', existingId: 'sc_a', began: false } },
  ]);
});

test.each([['k'.repeat(201)], ['sc_abcdefghijklmnop']])(
  'a component key that cannot stand in a path is refused',
  (key) => {
    const state = noSavedComponents();
    save(state, 'sc_a');
    const described = messageOf('SourceDescribed', { ...outcome('sc_a').data, manifest: { ...manifest, key } });
    expect(decideSavedOutcome(state, described as HookEvent)).toMatchObject([
      { type: 'ComponentSaveRefused', data: { message: expect.stringContaining("The component's key") } },
    ]);
  },
);

test('a request refused at once changes nothing', () => {
  const state = noSavedComponents();
  save(state, 'sc_a');
  take(state, decideSavedOutcome(state, outcome('sc_a')));
  const before = savedDefinition(state, 'sc_a');
  expect(save(state, 'sc_a')).toEqual(['ComponentSaveRefused']);
  expect(savedDefinition(state, 'sc_a')).toEqual(before);
});

test('a workspace has a bounded number of components, which other workspaces do not count for', () => {
  const state = noSavedComponents();
  for (let n = 0; n < savedComponentsMax; n++) {
    save(state, `sc_${n}`);
    take(state, decideSavedOutcome(state, outcome(`sc_${n}`)));
  }
  expect(decideSaved(state, command('sc_more'), { at: 1 })).toMatchObject([
    { data: { reason: 'too_many_components', began: false } },
  ]);
  expect(decideSaved(state, command('sc_0'), { at: 1 })).toMatchObject([{ data: { reason: 'repeated' } }]);
  const other = { ...command('sc_other'), workspace: 'o_other' };
  expect(decideSaved(state, other, { at: 1 })).toHaveLength(2);
  removeSaved(state, 'sc_0');
  expect(save(state, 'sc_more')).toHaveLength(2);
});

test('definitions restore the state at each step', () => {
  const state = noSavedComponents();
  const restored = (): SavedComponents => {
    const fresh = noSavedComponents();
    for (const id of state.byId.keys()) {
      const defined = savedDefinition(state, id);
      if (defined === undefined) continue;
      const record = { ...messageOf(defined.type, defined.data) } as SavedDefinition & LogRecord;
      restoreSaved(fresh, record);
      restoreSaved(fresh, record);
    }
    return fresh;
  };
  save(state, 'sc_a', { fingerprint: 'f', requestKey: 'k' });
  expect(restored()).toEqual(state);
  take(state, decideSavedOutcome(state, outcome('sc_a')));
  expect(restored()).toEqual(state);
  const again = command('sc_b', { fingerprint: 'g', requestKey: 'k' });
  expect(decideSaved(restored(), again, { at: 1 })).toMatchObject([{ data: { reason: 'idempotency_conflict' } }]);
});

const remove = (componentId: string, workspace = 'o_home') => ({
  ...messageOf('DeleteComponent', { componentId }),
  workspace,
});

test('a deleted component is gone with its key, no longer counts, and its code may be saved again', () => {
  const state = noSavedComponents();
  save(state, 'sc_a', { publish: {} });
  const described = messageOf('SourceDescribed', {
    ...outcome('sc_a').data,
    manifest: { ...manifest, key: 'k', version: '1.0.0' },
  });
  expect(decideSaved(state, remove('sc_a'), { at: 1 })).toMatchObject([{ data: { reason: 'component_not_found' } }]);
  take(state, decideSavedOutcome(state, described as HookEvent));
  for (const other of [remove('sc_a', 'o_other'), remove('sc_none')])
    expect(decideSaved(state, other, { at: 1 })).toMatchObject([
      { type: 'ComponentDeleteRefused', data: { reason: 'component_not_found' } },
    ]);
  expect(take(state, decideSaved(state, remove('sc_a'), { at: 1 }))).toEqual([
    'ComponentUnpublished',
    'ComponentDeleted',
  ]);
  expect([state.byId.size, state.counts.size, state.published.size]).toEqual([0, 0, 0]);
  expect(save(state, 'sc_a')).toEqual(['ComponentSaving', 'TriggerRequested']);
});

test('an Idempotency-Key of a request for code already saved stands for that component, also when publishing', () => {
  for (const publish of [undefined, { key: 'k', version: '1.0.0' }]) {
    const state = noSavedComponents();
    save(state, 'sc_a');
    take(state, decideSavedOutcome(state, outcome('sc_a')));
    const request = { fingerprint: 'f', requestKey: 'key', publish };
    expect(save(state, 'sc_a', request)).toEqual([
      publish === undefined ? 'ComponentSaveRefused' : 'ComponentPublished',
    ]);
    expect(answerEventOf(state.requests, 'key')).toMatchObject({
      data: { id: 'sc_a', fingerprint: 'f', stands: true },
    });
    const repeated = [{ data: { reason: 'repeated', existingId: 'sc_a' } }];
    expect(decideSaved(state, command('sc_fetched', request), { at: 1 })).toMatchObject(repeated);
    const other = command('sc_b', { ...request, fingerprint: 'g' });
    expect(decideSaved(state, other, { at: 1 })).toMatchObject([{ data: { reason: 'idempotency_conflict' } }]);
    take(state, decideSaved(state, remove('sc_a'), { at: 1 }));
    expect(decideSaved(state, command('sc_fetched', request), { at: 1 })).toMatchObject([
      { data: { reason: 'idempotency_conflict' } },
    ]);
  }
});

test('code too large for a record is refused', () => {
  const state = noSavedComponents();
  const code = '\u0001'.repeat(300_000);
  expect(decideSaved(state, command('sc_a', { code }), { at: 1 })).toMatchObject([
    { data: { reason: 'component_invalid' } },
  ]);
});
