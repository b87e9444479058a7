import type { HookKind } from '../../domain/source/messages.ts';
import type { SourceDefinition } from '../../domain/source/definition/messages.ts';
import { ControlLog, manifestOf, sealed } from './control-log.fake.ts';

const topics = ['components', 'triggers', 'listeners'] as const;
const manifest = manifestOf({
  hooks: ['activate', 'deactivate'],
  props: [
    { name: 'token', type: 'string', secret: true },
    { name: 'limit', type: 'integer', default: 5 },
  ],
});

type Story = (control: ControlLog) => Promise<unknown>;

const deployed: Story = async (control) => {
  await control.createWorkspace();
  await control.deploy('dc_1', { token: 'hush-hush' });
  await control.settle();
};
const update =
  (changes: object): Story =>
  async (control) => {
    await control.send('UpdateSource', { sourceId: 'dc_1', ...changes });
    await control.settle();
  };
const newCode = update({ code: 'y' });
const off = update({ active: false });
const on = update({ active: true });

async function recordsAfter(control: ControlLog, stories: readonly Story[]): Promise<unknown> {
  for (const story of [deployed, ...stories]) await story(control);
  return topics.map((topic) =>
    control.log
      .records(topic)
      .map(({ id, type, key, data, correlationId }) => ({ id, type, key, data, correlationId })),
  );
}

const sequence = (control: ControlLog): string[] =>
  control.log
    .records('triggers')
    .map(({ data }) => data as { kind: HookKind; revision: number })
    .map(({ kind, revision }) => `${kind} ${revision}`)
    .slice(2);
const currentDefinition = (control: ControlLog): SourceDefinition['data'] =>
  control.newest('sources', 'SourceDefined', 'dc_1') as SourceDefinition['data'];

interface Case {
  readonly stories: readonly Story[];
  readonly failing?: readonly HookKind[];
  readonly failingLater?: readonly HookKind[];
  readonly hooks: readonly string[];
  readonly last: string;
  readonly expectedDefinition: Partial<SourceDefinition['data']>;
}

const cases: Readonly<Record<string, Case>> = {
  'new code': {
    stories: [newCode],
    hooks: ['describe 2', 'deactivate 1', 'activate 2'],
    last: 'SourceUpdated',
    expectedDefinition: { revision: 2, configuredFrom: expect.any(Number) as number },
  },
  'props alone': {
    stories: [update({ configuredProps: sealed({ limit: 7 }) })],
    hooks: ['describe 2', 'deactivate 1', 'activate 2'],
    last: 'SourceUpdated',
    expectedDefinition: { revision: 2, codeRevision: 1, codeFrom: 0 },
  },
  'code that does not load': {
    stories: [newCode],
    failingLater: ['describe'],
    hooks: ['describe 2'],
    last: 'SourceUpdateRefused',
    expectedDefinition: { revision: 1, lastRevision: 2 },
  },
  'a deactivate that throws': {
    stories: [newCode, off],
    failing: ['deactivate'],
    hooks: ['describe 2', 'deactivate 1', 'deactivate 1'],
    last: 'SourceUpdateRefused',
    expectedDefinition: { revision: 1 },
  },
  'a deactivate whose errors are ignored': {
    stories: [update({ code: 'y', ignoreHookErrors: true })],
    failing: ['deactivate'],
    hooks: ['describe 2', 'deactivate 1', 'activate 2'],
    last: 'SourceUpdated',
    expectedDefinition: { revision: 2 },
  },
  'an activate that throws': {
    stories: [newCode],
    failingLater: ['activate'],
    hooks: ['describe 2', 'deactivate 1', 'activate 2', 'activate 1'],
    last: 'SourceUpdateRefused',
    expectedDefinition: { revision: 1, lastRevision: 2 },
  },
  'an update after one that was swapped back': {
    stories: [newCode, update({ code: 'z' })],
    failingLater: ['activate'],
    hooks: [2, 3].flatMap((next) => [`describe ${next}`, 'deactivate 1', `activate ${next}`, 'activate 1']),
    last: 'SourceUpdateRefused',
    expectedDefinition: { revision: 1 },
  },
  'inactive and active again': {
    stories: [off, on],
    hooks: ['deactivate 1', 'activate 1'],
    last: 'SourceUpdated',
    expectedDefinition: { revision: 1, status: 'deployed' },
  },
  'new code while it is inactive': {
    stories: [off, newCode, on],
    hooks: ['deactivate 1', 'describe 2', 'activate 2'],
    last: 'SourceUpdated',
    expectedDefinition: { revision: 2 },
  },
};

test.each(Object.entries(cases))(
  '%s: runs the expected hooks and ends with the expected event',
  async (_name, { stories, hooks, last, expectedDefinition, failing = [], failingLater = [] }) => {
    const control = new ControlLog({ manifest, failing, failingLater });
    await recordsAfter(control, stories);
    expect(sequence(control)).toEqual(hooks);
    expect(control.types('components').at(-1)).toBe(last);
    expect(currentDefinition(control)).toMatchObject({
      status: 'deployed',
      ended: [],
      console: [],
      ...expectedDefinition,
    });
    expect(currentDefinition(control).update).toBeUndefined();
    expect(JSON.stringify(control.log.records('components'))).not.toContain('hush-hush');
  },
);

test.each(
  Object.entries(cases).flatMap(([name, one]) =>
    (['kill before', 'kill after'] as const).map((fate) => [name, fate, one] as const),
  ),
)(
  '%s: a kill at any append (%s) leaves the same records as no kill',
  async (_name, fate, { stories, failing = [], failingLater = [] }) => {
    const script = { manifest, failing, failingLater };
    const undisturbed = new ControlLog(script);
    const expected = await recordsAfter(undisturbed, stories);
    expect(undisturbed.appends).toBeGreaterThan(5);
    for (let at = 0; at < undisturbed.appends; at++) {
      const control = new ControlLog(script);
      let append = 0;
      control.onAppend = () => (append++ === at ? fate : 'go on');
      expect(await recordsAfter(control, stories)).toEqual(expected);
    }
  },
);

test('an update continues when its log loses the definitions halfway and is folded again', async () => {
  const stories = [off, on, newCode];
  const script = { manifest, failingLater: ['activate'] as const };
  const undisturbed = new ControlLog(script);
  await recordsAfter(undisturbed, stories);
  for (let at = 2; at < undisturbed.appends; at++) {
    const control = new ControlLog(script);
    let append = 0;
    control.onAppend = () => (append++ === at ? 'kill after' : 'go on');
    const open = control.open.bind(control);
    control.open = async () => {
      const folded = control.log.records('sources').find(({ type }) => type === 'DefinitionsFolded');
      if (folded !== undefined) {
        const writer = await control.log.own('lifecycle', 0);
        const record = { ...folded, data: undefined };
        await writer.append([{ topic: 'sources', partition: folded.partition, record }], writer.mark.positions);
      }
      return open();
    };
    await recordsAfter(control, stories);
    expect(control.types('components')).toEqual(undisturbed.types('components'));
    expect(sequence(control)).toEqual(sequence(undisturbed));
    expect(currentDefinition(control)).toMatchObject({ status: 'deployed', revision: 1, lastRevision: 2 });
  }
});

test('a hook outcome that cannot be read counts as a hook that threw', async () => {
  const control = new ControlLog({ manifest });
  await deployed(control);
  await control.send('UpdateSource', { sourceId: 'dc_1', active: false });
  await control.feed();
  await control.flush();
  const envelope = { version: 1, key: 'dc_1', at: 0, workspace: 'o_home', correlationId: 'c', causationId: 'c' };
  const spoiled = { sourceId: 'dc_1', revision: 1, kind: 'deactivate' };
  await control.outcome({ ...envelope, id: 'rec_spoiled', type: 'HookSucceeded', data: spoiled } as never);
  await control.feed();
  await control.flush();
  expect(control.newest('components', 'SourceUpdateRefused')).toMatchObject({ reason: 'hook_failed', active: true });
  expect(currentDefinition(control)).toMatchObject({ status: 'deployed' });
});

test.each(['describe', 'deactivate', 'activate'] as const)(
  'a source whose update fails at %s keeps its subscriptions, as source and as listener, even after a restart',
  async (hook) => {
    const when = hook === 'deactivate' ? 'failing' : 'failingLater';
    const control = new ControlLog({ manifest, [when]: [hook] });
    await deployed(control);
    const subscribe = (subscriptionId: string, emitterId: string) =>
      control.send('CreateSubscription', {
        subscriptionId,
        emitterId,
        listenerId: 'dc_1',
        eventName: subscriptionId,
        fingerprint: null,
      });
    await subscribe('sub_1', 'dc_1');
    await subscribe('sub_2', 'dc_*');
    await newCode(control);
    control.kill();
    await update({ code: 'z' })(control);
    expect(control.types('components').slice(-1)).toEqual(['SourceUpdateRefused']);
    expect(control.types('listeners')).toEqual(['SubscriptionCreated', 'SubscriptionCreated']);
    const tombstones = control.log.records('subscriptions').filter(({ data }) => data === undefined || data === null);
    expect(tombstones).toEqual([]);
  },
);
