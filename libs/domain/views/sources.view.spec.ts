// The view of sources, over the steps of deploying and deleting.
import type { JsonObject } from '../json.ts';
import type { PropDefinition } from '../component/manifest.ts';
import { sourcesView, type SourceView } from './sources.view.ts';

type Event = Parameters<typeof sourcesView.evolve>[1];
type Data<Type extends Event['type']> = Extract<Event, { type: Type }>['data'];

const secret = { $sealed: 'bm9uY2V0YWdjaXBoZXJ0ZXh0' };

function told<Type extends Event['type']>(type: Type, data: Data<Type>, at: number): Event {
  const envelope = {
    id: `rec_${at}`,
    version: 1,
    key: 'dc_1',
    at,
    workspace: 'o_1',
    correlationId: 'c',
    causationId: 'c',
  };
  return { ...envelope, type, data } as Event;
}

const deploying = told(
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
  told(
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
  told('SourceDeployed', { sourceId: 'dc_1', revision: 1, console: [{ level: 'log', text: 'up', at: 1 }] }, at);

const refused = (revision: number, at: number): Event =>
  told('SourceDeployRefused', { sourceId: 'dc_1', revision, reason: 'hook_failed', message: 'no', console: [] }, at);

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
    name: null,
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

test('its endpoint counts once an http interface was described', () => {
  expect(fold(deploying, configured({}, ['string', '$.interface.timer']))).toMatchObject({ hasEndpoint: false });
  expect(fold(deploying, configured({}, ['string', '$.interface.http']))).toMatchObject({
    hasEndpoint: true,
    endpointKey: 'key',
  });
});

test('no secret reaches the view, at whatever depth it was sealed', () => {
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

test("a secret prop's default is left out of the manifest, another one's is shown", () => {
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

test('a source is deleting until it is gone', () => {
  const deleting = told('SourceDeleting', { sourceId: 'dc_1', revision: 1 }, 4);
  const deleted = told('SourceDeleted', { sourceId: 'dc_1', console: [] }, 5);
  expect(fold(deploying, configured({}), deployed(3), deleting)).toMatchObject({
    state: 'deleting',
    visibility: 'listed',
  });
  expect(fold(deploying, configured({}), deployed(3), deleting, deleted)).toBeUndefined();
  expect(fold(deploying, deleted, deployed(6))).toBeUndefined();
});
