import fc from 'fast-check';
import { foldEvents, messageOf } from '../../decider.fake.ts';
import type { Envelope } from '../../decider.fake.ts';
import type { Json } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { decideHookOutcome, decideSource, decideUnusableOutcome } from './decide.ts';
import type { SourceContext, SourceDecided } from './deploy.ts';
import type { Manifest, PropDefinition } from '../../component/manifest.ts';
import type { HookEvent, HookKind, SourceCommand, SourceEvent } from '../messages.ts';
import type { ConsoleLine } from '../../component/output.ts';
import { canBeSubscribedTo, evolveSources, hasSeveralSteps, noSources } from '../state/sources.ts';
import type { Sources } from '../state/sources.ts';

const context: SourceContext = {
  at: 0,
  seal: (value) => ({ $sealed: JSON.stringify(value) }),
  unseal: ({ $sealed }) => JSON.parse($sealed) as Json,
  appOf: () => undefined,
};
const manifestOf = (change: Partial<Manifest> = {}): Manifest => ({
  name: 'My Feed',
  version: '0.0.1',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
  ...change,
});
const line = (text: string): ConsoleLine => ({ level: 'log', text, at: 0 });

type Deploy = (SourceCommand & { readonly type: 'DeploySource' })['data'];
const deploy = (change: Partial<Deploy> & { props?: Json } = {}, envelope: Envelope = {}): SourceCommand => {
  const { props = {}, ...data } = change;
  const configuredProps = context.seal(props);
  const base = { sourceId: 'dc_1', userId: 'u_1', code: 'x', name: null, endpointKey: 'e', fingerprint: 'f' };
  return messageOf('DeploySource', { ...base, configuredProps, ...data }, envelope);
};
const remove = (envelope: Envelope = {}, ignoreHookErrors?: true): SourceCommand =>
  messageOf('DeleteSource', { sourceId: 'dc_1', ...(ignoreHookErrors ? { ignoreHookErrors } : {}) }, envelope);
const described = (manifest: Partial<Manifest> = {}, sourceId = 'dc_1', revision = 1): HookEvent =>
  messageOf('SourceDescribed', { sourceId, revision, manifest: manifestOf(manifest), console: [line('described')] });
const succeeded = (kind: HookKind, revision = 1): HookEvent =>
  messageOf('HookSucceeded', { sourceId: 'dc_1', revision, kind, console: [line(kind)] });
const failed = (kind: HookKind): HookEvent => {
  const error = { name: 'TypeError', message: 'no', line: 3, column: 4 };
  return messageOf('HookFailed', { sourceId: 'dc_1', revision: 1, kind, error, console: [line(kind)] });
};

type Input = SourceCommand | HookEvent;
const isCommand = (input: Input): input is SourceCommand => /^(Deploy|Delete)Source$/.test(input.type);
const when = (state: Sources, input: Input): readonly SourceDecided[] =>
  isCommand(input)
    ? decideSource(state, input, { at: input.at })
    : decideHookOutcome(state, input, { ...context, at: input.at });

/** Decides and folds every input as the stage does, and gives what the last one led to. */
function story(...inputs: readonly Input[]): { state: Sources; last: readonly SourceDecided[]; events: SourceEvent[] } {
  const state = noSources();
  const events: SourceEvent[] = [];
  let last: readonly SourceDecided[] = [];
  for (const input of inputs) {
    last = when(state, input);
    if (!isCommand(input)) evolveSources(state, input);
    const { workspace, at } = input;
    const decided = last
      .filter(({ type }) => type !== 'TriggerRequested')
      .map(({ type, data }) => messageOf(type, data, { workspace, at }) as SourceEvent);
    foldEvents(state, evolveSources, decided);
    events.push(...decided);
  }
  return { state, last, events };
}
const types = (decided: readonly SourceDecided[]): readonly string[] =>
  decided.map((one) => (one.type === 'TriggerRequested' ? `trigger ${one.data.kind}` : one.type));
const withHooks = (...hooks: Manifest['hooks'][number][]) => described({ hooks });

describe('deploying a source', () => {
  test('begins with describing it', () => {
    const { last } = story(deploy({ name: 'Mine', code: 'module.exports = {}' }));
    expect(last).toEqual([
      {
        type: 'SourceDeploying',
        data: {
          sourceId: 'dc_1',
          userId: 'u_1',
          revision: 1,
          code: 'module.exports = {}',
          requestedName: 'Mine',
          endpointKey: 'e',
          fingerprint: 'f',
          configuredProps: { $sealed: '{}' },
          codeHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
      },
      {
        type: 'TriggerRequested',
        data: { sourceId: 'dc_1', kind: 'describe', revision: 1, asked: { $sealed: '{}' } },
      },
    ]);
  });

  test('without hooks is done once it is described', () => {
    const { last } = story(deploy(), described());
    expect(types(last)).toEqual(['SourceConfigured', 'SourceDeployed']);
    expect(last[0]?.data).toMatchObject({ name: 'My Feed', nameSlug: 'my-feed', revision: 1, props: {} });
    expect(last[1]?.data).toMatchObject({ revision: 1, console: [line('described')] });
  });

  test('runs deploy and then activate, each after the outcome of the one before, and collects what they print', () => {
    const hooks = withHooks('activate', 'deactivate', 'deploy');
    expect(types(story(deploy(), hooks).last)).toEqual(['SourceConfigured', 'trigger deploy']);
    expect(types(story(deploy(), hooks, succeeded('deploy')).last)).toEqual(['trigger activate']);
    expect(story(deploy(), hooks, succeeded('deploy'), succeeded('activate')).last).toEqual([
      {
        type: 'SourceDeployed',
        data: { sourceId: 'dc_1', revision: 1, console: ['described', 'deploy', 'activate'].map(line) },
      },
    ]);
  });

  test.each<[string, Input[]]>([
    ['of a hook that was not asked for yet', [deploy(), withHooks('deploy', 'activate'), succeeded('activate')]],
    ['that comes twice', [deploy(), withHooks('deploy', 'activate'), succeeded('deploy'), succeeded('deploy')]],
    ['of another revision', [deploy(), withHooks('deploy'), succeeded('deploy', 2)]],
    ['after the end', [deploy(), described(), succeeded('activate')]],
    ['of a source that nobody deployed', [described()]],
    ['before the description', [deploy(), succeeded('deploy')]],
  ])('ignores an outcome %s', (_name, inputs) => {
    expect(story(...inputs).last).toEqual([]);
  });

  test('keeps secret values sealed and the others clear, defaults applied', () => {
    const props: PropDefinition[] = [
      { name: 'token', type: 'string', secret: true },
      { name: 'limit', type: 'integer', default: 5 },
      { name: 'http', type: '$.interface.http' },
    ];
    const { last } = story(deploy({ props: { token: 'hush' } }), described({ props }));
    expect(last[0]?.data).toMatchObject({ props: { token: { $sealed: '"hush"' }, limit: 5 } });
    expect(last[0]?.data).not.toHaveProperty('props.http');
  });

  test.each<[string, string, Partial<Manifest>, string]>([
    ['an action', 'component_invalid', { type: 'action' }, 'only sources can be deployed'],
    ['a nameless one', 'component_invalid', { name: ' ' }, 'empty name'],
    ['a $ prop', 'component_invalid', { props: [{ name: '$x', type: 'string' }] }, 'begins with $'],
    ['an unknown prop type', 'component_invalid', { props: [{ name: 'p', type: 'sql' }] }, 'has the type sql'],
    ['a needed dir', 'component_invalid', { props: [{ name: 'p', type: 'dir' }] }, 'there is no file store'],
    ['a secret integer', 'component_invalid', { props: [{ name: 'p', type: 'integer', secret: true }] }, 'is secret'],
    ['a missing prop', 'props_invalid', { props: [{ name: 'p', type: 'string' }] }, 'Prop "p" is required'],
  ])('is refused for %s with %s', (_name, reason, manifest, message) => {
    const { last } = story(deploy(), described(manifest));
    expect(types(last)).toEqual(['SourceDeployRefused']);
    expect(last[0]?.data).toMatchObject({ reason, revision: 1, console: [line('described')] });
    expect(last[0]?.data).toHaveProperty('message', expect.stringContaining(message));
  });

  test('is refused when it does not load, naming line and cause', () => {
    expect(story(deploy(), failed('describe')).last[0]?.data).toMatchObject({
      reason: 'component_invalid',
      message: 'The component cannot be loaded: TypeError: no (line 3, column 4)',
      error: { name: 'TypeError', line: 3 },
    });
  });

  test('is refused when additionalProps throws, in its own words', () => {
    const error = { name: 'TypeError', message: 'no' };
    const data = {
      sourceId: 'dc_1',
      revision: 1,
      kind: 'describe',
      during: 'additionalProps',
      error,
      console: [],
    } as const;
    const { last } = story(deploy(), messageOf('HookFailed', data));
    expect(last[0]?.data).toMatchObject({ reason: 'hook_failed', message: 'additionalProps failed: TypeError: no' });
  });
  test('is refused when a hook throws, with what was printed until then', () => {
    const { last } = story(deploy(), withHooks('deploy', 'activate'), succeeded('deploy'), failed('activate'));
    expect(types(last)).toEqual(['SourceDeployRefused']);
    expect(last[0]?.data).toMatchObject({
      reason: 'hook_failed',
      message: 'The hook activate failed: TypeError: no (line 3, column 4)',
      console: ['described', 'deploy', 'activate'].map(line),
    });
  });

  test('is refused when its props do not open', () => {
    const { last } = story(deploy({ configuredProps: { $sealed: 'not what it was' } }), described());
    expect(last[0]?.data).toMatchObject({ reason: 'props_invalid' });
  });

  test('never writes a record that is too large', () => {
    const code = 'x'.repeat(sizes.recordBytes);
    expect(story(deploy({ code })).last[0]?.data).toMatchObject({ reason: 'component_invalid', revision: 0 });
    const many = Array.from({ length: 20 }, (_, i) => ({ name: `p${i}`, type: 'string', default: 'x'.repeat(60_000) }));
    expect(story(deploy(), described({ props: many })).last[0]?.data).toMatchObject({ reason: 'props_invalid' });
    const wordy = many.map((prop) => ({ ...prop, options: ['y'.repeat(60_000)] }));
    const props = Object.fromEntries(many.map(({ name }) => [name, 'z']));
    const outcomeText = JSON.stringify(story(deploy({ props }), described({ props: wordy })).last);
    expect(outcomeText.length).toBeLessThan(64 * 1024);
    const console = Array.from({ length: 3 }, () => line('x'.repeat(sizes.consoleBytes / 2)));
    const loud = messageOf('HookSucceeded', { sourceId: 'dc_1', revision: 1, kind: 'deploy' as const, console });
    const { last } = story(deploy(), withHooks('deploy'), loud);
    expect(JSON.stringify(last).length).toBeLessThan(sizes.consoleBytes + 1024);
  });
});

describe('the name slug', () => {
  const other = deploy({ sourceId: 'dc_2' });
  const slugOfOther = (...before: readonly Input[]): unknown => {
    const [configured] = story(...before, other, described({}, 'dc_2')).last;
    return configured?.type === 'SourceConfigured' && configured.data.nameSlug;
  };

  test('gets a counter if it is taken in the same workspace', () => {
    expect(slugOfOther(deploy(), described())).toBe('my-feed-1');
    expect(slugOfOther(deploy({}, { workspace: 'o_other' }), described())).toBe('my-feed');
  });

  test('is free again once its source is refused or deleted', () => {
    expect(slugOfOther(deploy(), withHooks('deploy'))).toBe('my-feed-1');
    expect(slugOfOther(deploy(), withHooks('deploy'), failed('deploy'))).toBe('my-feed');
    expect(slugOfOther(deploy(), described(), remove())).toBe('my-feed');
  });

  test('comes from the requested name when there is one', () => {
    expect(story(deploy({ name: 'Mine!' }), described()).last[0]?.data).toMatchObject({
      name: 'Mine!',
      nameSlug: 'mine',
    });
  });
});

describe('a source whose id is used again', () => {
  test('gives the existing source when the request is the same, and its deploy continues', () => {
    const { state, last } = story(deploy(), deploy());
    expect(last[0]).toMatchObject({
      type: 'SourceDeployRefused',
      data: { reason: 'repeated', existingId: 'dc_1', revision: 0 },
    });
    expect(types(when(state, described()))).toEqual(['SourceConfigured', 'SourceDeployed']);
  });

  test('is refused with the same reason if it was refused before', () => {
    const { last } = story(deploy(), described({ type: 'action' }), deploy());
    expect(last[0]?.data).toMatchObject({ reason: 'component_invalid', revision: 0, existingId: 'dc_1' });
  });

  test('is refused with the same problems of its props', () => {
    const props = [{ name: 'p', type: 'string' }];
    const problems = [{ prop: 'p', message: 'Prop "p" is required (string).' }];
    const before = story(deploy(), described({ props }));
    expect(before.last[0]?.data).toMatchObject({ problems });
    expect(when(before.state, deploy())[0]?.data).toMatchObject({ reason: 'props_invalid', problems });
  });

  test.each<[string, Input[]]>([
    ['by another request', [deploy(), described(), deploy({ fingerprint: 'other' })]],
    ['after 24 hours', [deploy(), described(), deploy({}, { at: 24 * 60 * 60 * 1000 })]],
    ['without a key', [deploy({ fingerprint: null }), described(), deploy({ fingerprint: null })]],
    ['once it was deleted', [deploy(), described(), remove(), deploy()]],
    ['from another workspace', [deploy(), described(), deploy({}, { workspace: 'o_other' })]],
  ])('%s is a conflict', (_name, inputs) => {
    expect(story(...inputs).last[0]?.data).toMatchObject({ reason: 'idempotency_conflict', revision: 0 });
  });
});

describe('deleting a source', () => {
  const ready = [deploy(), withHooks('deactivate')];

  test('without deactivate is done at once', () => {
    expect(types(story(deploy(), described(), remove()).last)).toEqual(['SourceDeleting', 'SourceDeleted']);
  });

  test('runs deactivate first', () => {
    expect(types(story(...ready, remove()).last)).toEqual(['SourceDeleting', 'trigger deactivate']);
    expect(story(...ready, remove(), succeeded('deactivate')).last).toEqual([
      {
        type: 'SourceDeleted',
        data: { sourceId: 'dc_1', createdAt: expect.any(Number), console: [line('deactivate')] },
      },
    ]);
  });

  test('is refused if deactivate throws: the source stays and can be deleted again', () => {
    const { last, state } = story(...ready, remove(), failed('deactivate'));
    expect(last).toMatchObject([
      { type: 'SourceDeleteRefused', data: { reason: 'hook_failed', revision: 1, console: [line('deactivate')] } },
    ]);
    expect(state.byId.get('dc_1')).toMatchObject({ status: 'deployed', ended: [], console: [] });
    expect(types(when(state, remove()))).toEqual(['SourceDeleting', 'trigger deactivate']);
  });

  test('succeeds although deactivate throws, when hook errors are to be ignored', () => {
    const { last } = story(...ready, remove({}, true), failed('deactivate'));
    expect(last[0]).toMatchObject({ type: 'SourceDeleted', data: { error: { name: 'TypeError' } } });
  });

  test.each<[string, string, Input[]]>([
    ['busy', 'while it is being deployed', [deploy(), remove()]],
    ['busy', 'while it is being deleted', [...ready, remove(), remove()]],
    ['source_not_found', 'that is unknown', [remove()]],
    ['source_not_found', 'that was deleted', [deploy(), described(), remove(), remove()]],
    ['source_not_found', 'whose deploy was refused', [deploy(), failed('describe'), remove()]],
    ['source_not_found', 'of another workspace', [deploy(), described(), remove({ workspace: 'o_other' })]],
  ])('is refused with %s for one %s', (reason, _name, inputs) => {
    const { last } = story(...inputs);
    expect(types(last)).toEqual(['SourceDeleteRefused']);
    expect(last[0]?.data).toMatchObject({ reason });
  });
});

test('an unreadable outcome ends only the process that waits for it', () => {
  const unusable = (...inputs: Input[]) => decideUnusableOutcome(story(...inputs).state, 'dc_1', 'It is damaged.');
  expect(unusable(deploy())[0]).toMatchObject({
    type: 'SourceDeployRefused',
    data: { reason: 'component_invalid', revision: 1, message: 'It is damaged.' },
  });
  expect(types(unusable(deploy(), withHooks('deactivate'), remove()))).toEqual(['SourceDeleted']);
  expect(unusable(deploy(), described())).toEqual([]);
  expect(unusable()).toEqual([]);
});

test('a source can be subscribed to within its workspace from its configuration until its deletion', () => {
  const can = (...inputs: Input[]) => canBeSubscribedTo(story(...inputs).state, 'dc_1', 'o_home');
  expect(can(deploy())).toBe(false);
  expect(can(deploy(), withHooks('deploy'))).toBe(true);
  expect(can(deploy(), described())).toBe(true);
  expect(can(deploy(), withHooks('deploy'), failed('deploy'))).toBe(false);
  expect(can(deploy(), withHooks('deactivate'), remove())).toBe(false);
  expect(canBeSubscribedTo(story(deploy(), described()).state, 'dc_1', 'o_other')).toBe(false);
});

test('for any inputs in any order, events and outcomes of deploys under way restore the state', () => {
  const inputs = fc.array(
    fc.constantFrom<Input>(
      deploy(),
      remove(),
      described(),
      withHooks('deploy', 'activate', 'deactivate'),
      described({ type: 'action' }),
      succeeded('deploy'),
      succeeded('activate'),
      succeeded('deactivate'),
      succeeded('deploy', 2),
      failed('describe'),
      failed('deploy'),
      failed('activate'),
      failed('deactivate'),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(inputs, (all) => {
      const { state, events } = story(...all);
      const again = foldEvents(noSources(), evolveSources, events);
      // Nothing runs for a source before it was deployed, so no outcome can be older.
      const outcomes = all
        .slice(
          Math.max(
            0,
            all.findIndex(({ type }) => type === 'DeploySource'),
          ),
        )
        .filter((input): input is HookEvent => !isCommand(input));
      foldEvents(
        again,
        evolveSources,
        outcomes.filter(({ data }) => hasSeveralSteps(again, data.sourceId)),
      );
      expect(again).toEqual(state);
    }),
  );
});
