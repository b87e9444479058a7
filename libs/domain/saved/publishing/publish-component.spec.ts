import { foldEvents, messageOf } from '../../decider.fake.ts';
import type { HookEvent } from '../../source/messages.ts';
import type { Manifest } from '../../component/manifest.ts';
import type { LogRecord } from '../../message.ts';
import { decideSaved, decideSavedOutcome } from '../decide.ts';
import type { SavedDefinition, SavedEvent } from '../messages.ts';
import { evolveSaved, noSavedComponents, restoreSaved, savedDefinition } from '../saved.ts';
import type { SavedComponents } from '../saved.ts';

const manifest: Manifest = {
  name: 'n',
  version: '1',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
};

const save = (componentId: string, more: object = {}) =>
  messageOf('SaveComponent', {
    fingerprint: null,
    componentId,
    userId: 'u_1',
    code: componentId,
    publish: {},
    ...more,
  });
const unpublish = (componentId: string, workspace = 'o_home') =>
  messageOf('UnpublishComponent', { componentId }, { workspace });
const described = (sourceId: string, declared: object): HookEvent =>
  messageOf('SourceDescribed', { sourceId, revision: 1, manifest: { ...manifest, ...declared }, console: [] });

type Decided = readonly { type: string; data: unknown }[];

function take(state: SavedComponents, decided: Decided): Decided {
  const own = decided.filter(({ type }) => type.startsWith('Component'));
  foldEvents(state, evolveSaved, own.map(({ type, data }) => messageOf(type, data)) as unknown as SavedEvent[]);
  return own;
}

/** Saves and publishes a component; returns the last decision. */
function published(state: SavedComponents, componentId: string, declared: object): Decided {
  take(state, decideSaved(state, save(componentId), { at: 1 }));
  return take(state, decideSavedOutcome(state, described(componentId, declared)));
}

const types = (decided: Decided): string[] => decided.map(({ type }) => type);
const v = (version: string) => ({ key: 'acme-a', version });

test('a component is saved and published in one step, and its version replaces a lower one', () => {
  const state = noSavedComponents();
  expect(published(state, 'sc_1', v('0.1.0'))).toMatchObject([
    { type: 'ComponentSaved' },
    { type: 'ComponentPublished', data: { componentId: 'sc_1', ...v('0.1.0') } },
  ]);
  expect(published(state, 'sc_2', v('0.10.0'))).toMatchObject([
    { type: 'ComponentSaved' },
    { type: 'ComponentUnpublished', data: { componentId: 'sc_1', key: 'acme-a' } },
    { type: 'ComponentPublished', data: { componentId: 'sc_2', ...v('0.10.0') } },
  ]);
  expect([state.byId.get('sc_1')?.published, state.byId.get('sc_2')?.published]).toEqual([undefined, v('0.10.0')]);
});

test.each([
  ['no key', { version: '1.0.0' }, 'component_invalid', /needs a key/],
  ['no semantic version', { key: 'acme-a', version: 'new' }, 'component_invalid', /semantic version/],
  ['the same version', v('1.0.0'), 'version_not_higher', /1\.0\.0 .* not higher than 1\.0\.0.*raise/],
  ['a lower version', v('0.9.0'), 'version_not_higher', /not higher/],
])('a component with %s is refused and not saved, and the published one stays', (_what, declared, reason, message) => {
  const state = noSavedComponents();
  published(state, 'sc_1', v('1.0.0'));
  expect(published(state, 'sc_2', declared)).toMatchObject([
    { type: 'ComponentSaveRefused', data: { reason, message: expect.stringMatching(message), began: true } },
  ]);
  expect([...state.byId.keys()]).toEqual(['sc_1']);
  expect([...state.published.values()]).toEqual(['sc_1']);
});

test('a saved component is published by the key and version it declares, once', () => {
  const state = noSavedComponents();
  take(state, decideSaved(state, save('sc_1', { publish: undefined }), { at: 1 }));
  expect(types(take(state, decideSavedOutcome(state, described('sc_1', v('1.0.0')))))).toEqual(['ComponentSaved']);
  expect(decideSaved(state, save('sc_1'), { at: 1 })).toMatchObject([{ data: { reason: 'busy', began: false } }]);
  const known = save('sc_1', { publish: v('1.0.0') });
  expect(types(take(state, decideSaved(state, known, { at: 1 })))).toEqual(['ComponentPublished']);
  expect(decideSaved(state, known, { at: 1 })).toMatchObject([{ data: { reason: 'repeated', existingId: 'sc_1' } }]);
  const keyless = save('sc_1', { publish: { version: '1.0.0' } });
  expect(decideSaved(state, keyless, { at: 1 })).toMatchObject([{ data: { reason: 'component_invalid' } }]);
});

test('versions are compared within a workspace only', () => {
  const state = noSavedComponents();
  published(state, 'sc_1', v('2.0.0'));
  const other = { ...save('sc_2'), workspace: 'o_other' };
  const saving = decideSaved(state, other, { at: 1 }).slice(0, 1);
  foldEvents(
    state,
    evolveSaved,
    saving.map(({ type, data }) => messageOf(type, data, other)) as unknown as SavedEvent[],
  );
  expect(types(decideSavedOutcome(state, described('sc_2', v('1.0.0'))))).toEqual([
    'ComponentSaved',
    'ComponentPublished',
  ]);
});

test('an unpublished component stays saved, and any version may be published next', () => {
  const state = noSavedComponents();
  published(state, 'sc_1', v('1.0.0'));
  expect(decideSaved(state, unpublish('sc_1', 'o_other'), { at: 1 })).toMatchObject([
    { data: { reason: 'not_published' } },
  ]);
  expect(types(take(state, decideSaved(state, unpublish('sc_1'), { at: 1 })))).toEqual(['ComponentUnpublished']);
  expect(decideSaved(state, unpublish('sc_1'), { at: 1 })).toMatchObject([{ data: { reason: 'not_published' } }]);
  expect([state.byId.has('sc_1'), state.published.size]).toEqual([true, 0]);
  expect(types(published(state, 'sc_2', v('0.1.0')))).toContain('ComponentPublished');
});

test('a repeated request with a version that was too low is decided anew', () => {
  const state = noSavedComponents();
  published(state, 'sc_1', v('1.0.0'));
  const request = { fingerprint: 'f', requestKey: 'k' };
  for (const end of ['version_not_higher', 'ComponentPublished']) {
    take(state, decideSaved(state, save('sc_2', request), { at: 1 }));
    const [last] = take(state, decideSavedOutcome(state, described('sc_2', v('0.5.0')))).slice(-1);
    expect(JSON.stringify(last)).toContain(`"${end}"`);
    take(state, decideSaved(state, unpublish('sc_1'), { at: 1 }));
  }
});

test('definitions restore what is published and what is being published', () => {
  const state = noSavedComponents();
  published(state, 'sc_1', v('1.0.0'));
  take(state, decideSaved(state, save('sc_2'), { at: 1 }));
  const fresh = noSavedComponents();
  for (const id of state.byId.keys()) {
    const defined = savedDefinition(state, id);
    if (defined !== undefined)
      restoreSaved(fresh, messageOf(defined.type, defined.data) as SavedDefinition & LogRecord);
  }
  expect(fresh).toEqual(state);
  expect(types(decideSavedOutcome(fresh, described('sc_2', v('1.0.1'))))).toEqual([
    'ComponentSaved',
    'ComponentUnpublished',
    'ComponentPublished',
  ]);
});
