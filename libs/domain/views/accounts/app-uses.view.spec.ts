// The views of app uses: the apps and fields of a source's current code, and of an unfinished update.
import type { Manifest } from '../../component/manifest.ts';
import { sourceAppsView, type AppUseView } from './app-uses.view.ts';

type Event = Parameters<typeof sourceAppsView.evolve>[1];
type Data<Type extends Event['type']> = Extract<Event, { type: Type }>['data'];

const sourceId = 'dc_1';

function eventRecord<Type extends Event['type']>(type: Type, data: Data<Type>, at: number): Event {
  const ids = { id: `rec_${at}`, key: 'dc_1', correlationId: 'c', causationId: 'c' };
  const envelope = { ...ids, version: 1, at, workspace: 'o_1', offset: at };
  return { ...envelope, type, data } as Event;
}

const manifestFor = (...apps: readonly string[]): Manifest => ({
  name: 'Hooks',
  version: '0.0.1',
  type: 'source',
  props: apps.map((app) => ({ name: app, type: 'app', app })),
  authFields: ['api_key'],
  hooks: [],
  methods: [],
  additionalProps: false,
});

const deployed = (at: number, ...apps: readonly string[]): Event =>
  eventRecord(
    'SourceConfigured',
    { sourceId, revision: 1, manifest: manifestFor(...apps), name: 'Hooks', nameSlug: 'hooks', props: {} },
    at,
  );
const configured = (at: number, ...apps: readonly string[]): Event =>
  eventRecord('SourceConfigured', { sourceId, revision: 2, manifest: manifestFor(...apps), props: {} }, at);
const updated = (at: number): Event =>
  eventRecord('SourceUpdated', { sourceId, revision: 2, active: true, console: [] }, at);
const refused = (revision: number, at: number): Event =>
  eventRecord('SourceUpdateRefused', { sourceId, revision, reason: 'hook_failed', message: 'no' }, at);

const fold = (...events: readonly Event[]): AppUseView | undefined =>
  events.reduce<AppUseView | undefined>((current, event) => {
    if (sourceAppsView.idOf(event) === undefined) return current;
    return sourceAppsView.evolve(sourceAppsView.needsCurrent(event) ? current : undefined, event);
  }, undefined);

const use = { workspace: 'o_1', fields: ['api_key'], type: 'source' };

test('a source is for the apps of its code, and after an update for those of the new code', () => {
  expect(fold(deployed(1, 'slack'))).toEqual({ ...use, apps: ['slack'], createdAt: 1 });
  expect(fold(deployed(1, 'slack'), configured(2, 'github'))).toMatchObject({ apps: ['slack'], createdAt: 1 });
  const after = fold(deployed(1, 'slack'), configured(2, 'github'), updated(3));
  expect(after).toEqual({ ...use, apps: ['github'], createdAt: 2 });
});

test('a refused update leaves the source with the apps that it had', () => {
  expect(fold(deployed(1, 'slack'), configured(2, 'github'), refused(1, 3))).toEqual(fold(deployed(1, 'slack')));
  expect(fold(deployed(1), configured(2, 'github'), refused(1, 3))).toBeUndefined();
  const busy = fold(deployed(1, 'slack'), configured(2, 'github'), refused(0, 3), updated(4));
  expect(busy).toMatchObject({ apps: ['github'] });
});

test('an update may bring the first app, or take the last one', () => {
  expect(fold(deployed(1), configured(2, 'github'))?.apps).toEqual([]);
  expect(fold(deployed(1), configured(2, 'github'), updated(3))?.apps).toEqual(['github']);
  expect(fold(deployed(1, 'slack'), configured(2))?.apps).toEqual(['slack']);
  expect(fold(deployed(1, 'slack'), configured(2), updated(3))).toBeUndefined();
});

test('an update without code or props leaves the apps as they are', () => {
  expect(fold(deployed(1, 'slack'), updated(2))).toEqual(fold(deployed(1, 'slack')));
  expect(fold(deployed(1, 'slack'), configured(2, 'github'), refused(1, 3), updated(4))?.apps).toEqual(['slack']);
});
