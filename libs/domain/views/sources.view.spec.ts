// The view of sources, over the steps of deploying and deleting.
import type { JsonObject } from '../json.ts';
import type { PropDefinition } from '../component/manifest.ts';
import { sourcesView, type SourceView } from './sources.view.ts';

type Event = Parameters<typeof sourcesView.evolve>[1];
type Data<Type extends Event['type']> = Extract<Event, { type: Type }>['data'];

const secret = { $sealed: 'bm9uY2V0YWdjaXBoZXJ0ZXh0' };

function eventRecord<Type extends Event['type']>(type: Type, data: Data<Type>, at: number): Event {
  const envelope = {
    id: `rec_${at}`,
    version: 1,
    key: 'dc_1',
    at,
    workspace: 'o_1',
    correlationId: 'c',
    causationId: 'c',
    offset: 100 + at,
  };
  return { ...envelope, type, data } as Event;
}

const deploying = eventRecord(
  'SourceDeploying',
  {
    sourceId: 'dc_1',
    userId: 'u_1',
    revision: 1,
    code: 'module.exports = {}',
    codeHash: 'hash',
    requestedName: null,
    configuredProps: secret,
    endpointKey: 'key',
    fingerprint: null,
  },
  1,
);

const configured = (
  props: Data<'SourceConfigured'>['props'],
  types: readonly string[] = [],
  more: Partial<PropDefinition> = {},
): Event =>
  eventRecord(
    'SourceConfigured',
    {
      sourceId: 'dc_1',
      revision: 1,
      manifest: {
        name: 'Hooks',
        version: '0.0.1',
        type: 'source',
        props: types.map((type, i) => ({ name: `p${i}`, type, ...more })),
        hooks: [],
        methods: [],
        additionalProps: false,
      },
      name: 'Hooks',
      nameSlug: 'hooks',
      props,
    },
    2,
  );

const deployed = (at: number): Event =>
  eventRecord('SourceDeployed', { sourceId: 'dc_1', revision: 1, console: [{ level: 'log', text: 'up', at: 1 }] }, at);

const refused = (revision: number, at: number): Event =>
  eventRecord(
    'SourceDeployRefused',
    { sourceId: 'dc_1', revision, reason: 'hook_failed', message: 'no', console: [] },
    at,
  );

const fold = (...events: readonly Event[]): SourceView | undefined =>
  events.reduce<SourceView | undefined>(
    (current, event) => (sourcesView.idOf(event) === undefined ? current : sourcesView.evolve(current, event)),
    undefined,
  );

test('a source is listed as deploying at once, without its code', () => {
  const source = fold(deploying);
  expect(source).toMatchObject({
    state: 'deploying',
    visibility: 'listed',
    name: '',
    hasEndpoint: false,
    createdAt: 1,
  });
  expect(JSON.stringify(source)).not.toContain('module.exports');
});

test('a deployed source is active, with name, manifest, console and times', () => {
  expect(fold(deploying, configured({}), deployed(3))).toMatchObject({
    state: 'active',
    name: 'Hooks',
    nameSlug: 'hooks',
    manifest: { version: '0.0.1' },
    console: [{ text: 'up' }],
    refusal: null,
    createdAt: 1,
    updatedAt: 3,
    deployedAt: 3,
  });
});

test('a source has an endpoint once it is known to have an http interface', () => {
  expect(fold(deploying, configured({}, ['string', '$.interface.timer']))).toMatchObject({ hasEndpoint: false });
  expect(fold(deploying, configured({}, ['string', '$.interface.http']))).toMatchObject({
    hasEndpoint: true,
    endpointKey: 'key',
  });
});

test('no sealed value reaches the view, at any depth', () => {
  const clear: JsonObject = { list: ['a', 1, null] };
  const nested: JsonObject = { deep: [{ inner: secret }] };
  const source = fold(deploying, configured({ token: secret, clear, nested }));
  expect(source?.props).toEqual({
    token: { $sealed: true },
    clear: { list: ['a', 1, null] },
    nested: { deep: [{ inner: { $sealed: true } }] },
  });
  expect(JSON.stringify(source)).not.toContain(secret.$sealed);
});

test('the default of a secret prop is left out of the manifest, other defaults are shown', () => {
  const secretDefault = fold(deploying, configured({}, ['string'], { secret: true, default: 'hunter2' }));
  expect(JSON.stringify(secretDefault)).not.toContain('hunter2');
  expect(secretDefault?.manifest).toMatchObject({ props: [{ name: 'p0', secret: true }] });
  const shown = fold(deploying, configured({}, ['string'], { default: 'hello' }));
  expect(shown?.manifest).toMatchObject({ props: [{ default: 'hello' }] });
});

test('a refused first deploy is hidden, says why, and has no endpoint', () => {
  expect(fold(deploying, configured({}, ['$.interface.http']), refused(1, 3))).toMatchObject({
    state: 'refused',
    visibility: 'hidden',
    hasEndpoint: false,
    refusal: { revision: 1, reason: 'hook_failed', message: 'no', error: null, console: [] },
  });
});

test('a refused later deploy leaves the source active and says why', () => {
  expect(fold(deploying, configured({}), deployed(3), refused(2, 4))).toMatchObject({
    state: 'active',
    visibility: 'listed',
    refusal: { revision: 2 },
    deployedAt: 3,
  });
});

test('a command refused before anything began leaves the source as it was', () => {
  const before = fold(deploying, configured({}), deployed(3));
  expect(fold(deploying, configured({}), deployed(3), refused(0, 4))).toEqual(before);
});

const updating = (data: Partial<Data<'SourceUpdating'>>, at: number): Event => {
  const nothing = { name: null, active: true, configuredProps: null, ignoreHookErrors: false };
  return eventRecord('SourceUpdating', { sourceId: 'dc_1', revision: 2, ...nothing, ...data }, at);
};
const updated = (data: Partial<Data<'SourceUpdated'>>, at: number): Event =>
  eventRecord('SourceUpdated', { sourceId: 'dc_1', revision: 2, active: true, console: [], ...data }, at);
const reconfigured = ((event: Event & { readonly type: 'SourceConfigured' }): Event => {
  const { name: _name, nameSlug: _slug, ...data } = event.data;
  return eventRecord('SourceConfigured', { ...data, revision: 2 }, 5);
})(configured({ p0: 'new' }, ['string', '$.interface.http']) as Event & { readonly type: 'SourceConfigured' });

test('an update is shown once it has succeeded, and fields it does not name stay', () => {
  const before = [deploying, configured({}), deployed(3), updating({ code: 'y', codeHash: 'other' }, 4)];
  expect(fold(...before, reconfigured)).toMatchObject({
    state: 'updating',
    active: true,
    revision: 1,
    codeHash: 'hash',
    props: {},
    hasEndpoint: false,
    updatedAt: 5,
  });
  const swapped = eventRecord('SourceSwapped', { sourceId: 'dc_1', revision: 2 }, 6);
  const after = fold(...before, reconfigured, swapped, updated({ name: 'New', nameSlug: 'new' }, 7));
  expect(after).toMatchObject({
    state: 'active',
    active: true,
    revision: 2,
    codeHash: 'other',
    props: { p0: 'new' },
    hasEndpoint: true,
    name: 'New',
    nameSlug: 'new',
    next: null,
    updatedAt: 7,
    deployedAt: 3,
  });
});

test('the place of the code is that of the last deploy or update that brought code and succeeded', () => {
  const props = [updating({}, 8), reconfigured, updated({}, 9)];
  const code = [updating({ code: 'y', codeHash: 'other' }, 4), reconfigured];
  const before = [deploying, configured({}), deployed(3)];
  const refusal = { sourceId: 'dc_1', revision: 1, reason: 'hook_failed', message: 'no' } as const;
  expect(fold(...before, ...code)?.codeAt).toBe(deploying.offset);
  expect(fold(...before, ...code, eventRecord('SourceUpdateRefused', refusal, 6))?.codeAt).toBe(deploying.offset);
  expect(fold(...before, ...code, updated({}, 7), ...props)?.codeAt).toBe(104);
});

test('a refused update changes no field, and shows whether the source is active', () => {
  const before = [deploying, configured({}), deployed(3), updating({ code: 'y', codeHash: 'other' }, 4), reconfigured];
  const refusal = { sourceId: 'dc_1', revision: 1, reason: 'hook_failed', message: 'no' } as const;
  const shown = { revision: 1, codeHash: 'hash', props: {}, next: null, refusal: { reason: 'hook_failed' } };
  const active = eventRecord('SourceUpdateRefused', { ...refusal, active: true }, 6);
  expect(fold(...before, active)).toMatchObject({ state: 'active', active: true, ...shown });
  const inactive = eventRecord('SourceUpdateRefused', { ...refusal, active: false }, 6);
  expect(fold(...before, inactive)).toMatchObject({ state: 'inactive', active: false, ...shown });
  const busy = eventRecord('SourceUpdateRefused', { ...refusal, revision: 0, reason: 'busy' }, 6);
  expect(fold(...before, busy)).toEqual(fold(...before));
});

test('a refused delete leaves the source as it was, active or not', () => {
  const deleting = eventRecord('SourceDeleting', { sourceId: 'dc_1', revision: 1 }, 5);
  const kept = eventRecord(
    'SourceDeleteRefused',
    { sourceId: 'dc_1', revision: 1, reason: 'hook_failed', message: 'no' },
    6,
  );
  const off = [updating({ revision: 1, active: false }, 4), updated({ revision: 1, active: false }, 4)];
  expect(fold(deploying, configured({}), deployed(3), deleting, kept)).toMatchObject({ state: 'active', active: true });
  const inactive = fold(deploying, configured({}), deployed(3), ...off, deleting, kept);
  expect(inactive).toMatchObject({ state: 'inactive', active: false, refusal: { reason: 'hook_failed' } });
});

test('a source is deleting until it is gone', () => {
  const deleting = eventRecord('SourceDeleting', { sourceId: 'dc_1', revision: 1 }, 4);
  const deleted = eventRecord('SourceDeleted', { sourceId: 'dc_1', console: [] }, 5);
  expect(fold(deploying, configured({}), deployed(3), deleting)).toMatchObject({
    state: 'deleting',
    visibility: 'listed',
  });
  expect(fold(deploying, configured({}), deployed(3), deleting, deleted)).toBeUndefined();
  expect(fold(deploying, deleted, deployed(6))).toBeUndefined();
});
