// A source without code: it is deployed in one step and accepts no code.
import { foldEvents, messageOf } from '../../decider.fake.ts';
import { decideSource } from './decide.ts';
import type { SourceDecided } from './deploy.ts';
import type { SourceCommand, SourceEvent } from '../messages.ts';
import {
  canBeSubscribedTo,
  canListen,
  evolveSources,
  noSources,
  restoreSource,
  sourceDefinition,
} from '../state/sources.ts';
import { versionOfDefinition } from '../source-version.ts';

const sealed = { $sealed: 'AAAA' };
const deploy = (sourceId: string, name: string): SourceCommand =>
  messageOf('DeploySource', {
    sourceId,
    userId: 'u_1',
    code: '',
    name,
    endpointKey: 'e',
    fingerprint: null,
    kind: 'channel',
    configuredProps: sealed,
  }) as SourceCommand;
const command = (type: SourceCommand['type'], data: object): SourceCommand =>
  messageOf(type, { sourceId: 'dc_1', ...data }) as SourceCommand;

const state = noSources();
function decide(one: SourceCommand): readonly SourceDecided[] {
  const decided = decideSource(state, one, { at: 0 });
  foldEvents(
    state,
    evolveSources,
    decided.map(({ type, data }) => messageOf(type, data) as SourceEvent),
  );
  return decided;
}
const typesOf = (decided: readonly SourceDecided[]): readonly string[] => decided.map(({ type }) => type);

test('a channel is deployed in one step, without a trigger, and its definition restores it', () => {
  expect(typesOf(decide(deploy('dc_1', 'Orders')))).toEqual(['SourceDeploying', 'SourceConfigured', 'SourceDeployed']);
  const defined = sourceDefinition(state, 'dc_1');
  expect(defined?.data).toMatchObject({
    kind: 'channel',
    status: 'deployed',
    nameSlug: 'orders',
    configuredProps: null,
  });
  expect(defined && versionOfDefinition(defined)).toBe(5);
  const again = noSources();
  if (defined !== undefined) restoreSource(again, messageOf('SourceDefined', defined.data, { workspace: 'o_home' }));
  expect(again.byId.get('dc_1')).toEqual(state.byId.get('dc_1'));
  expect([canBeSubscribedTo(state, 'dc_1', 'o_home'), canListen(state, 'dc_1')]).toEqual([true, false]);
});

test('a second channel of the same name gets another slug', () => {
  decide(deploy('dc_2', 'Orders'));
  expect(state.byId.get('dc_2')?.nameSlug).not.toBe('orders');
});

test.each([{ code: 'x' }, { configuredProps: sealed }, { settings: { timeoutMs: 1 } }])(
  'an update with %j is refused and says why, and the source continues',
  (change) => {
    const [refused] = decide(command('UpdateSource', { name: 'New', ...change }));
    expect(refused).toMatchObject({ type: 'SourceUpdateRefused', data: { revision: 0, reason: 'component_invalid' } });
    expect(state.byId.get('dc_1')?.status).toBe('deployed');
  },
);

test('name and active are updated in one step, and a channel is deleted in one step', () => {
  expect(typesOf(decide(command('UpdateSource', { name: 'Bills', active: false })))).toEqual([
    'SourceUpdating',
    'SourceUpdated',
  ]);
  expect(sourceDefinition(state, 'dc_1')?.data).toMatchObject({ kind: 'channel', active: false, nameSlug: 'bills' });
  expect(typesOf(decide(command('DeleteSource', {})))).toEqual(['SourceDeleting', 'SourceDeleted']);
  expect(state.byId.has('dc_1')).toBe(false);
});
