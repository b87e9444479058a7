import { recordOf, samples } from '../../domain/record/samples.fake.ts';
import { unusableRecords } from '../../domain/record/unusable-records.fake.ts';
import type { LogRecord } from '../../domain/message.ts';
import { encrypt, nonceBytes } from '../../domain/secrets/seal.ts';
import type { Reply } from '../../log/index.ts';
import { Life, until } from './testing/life.fake.ts';
import { workspace, World } from './testing/world.fake.ts';

interface Run {
  readonly sourceId: string;
  readonly outcome: string;
  readonly error?: { readonly name: string; readonly message: string };
}

const damagedSeal = { $sealed: Buffer.alloc(64, 1).toString('base64') };
const component = { run: () => {} };

async function newWorld(props: Record<string, typeof damagedSeal> = {}): Promise<World> {
  const world = new World();
  await world.addKey();
  await world.deploy('dc_1', component, props);
  return world;
}

const runs = (world: World): readonly Run[] => world.data<Run>('runs');
const request = (world: World, record: LogRecord) => world.log.request({ topic: 'triggers', partition: 0, record });

test('malformed triggers become refused runs, their callers are answered, and the next trigger runs', async () => {
  const world = await newWorld();
  const { TriggerRequested } = samples.triggers;
  const bad = unusableRecords('triggers', 'TriggerRequested', { ...TriggerRequested, sourceId: 'dc_1' });
  for (const [i, [, record]] of bad.entries()) await request(world, { ...record, id: `req_${i}` });
  const waiting = { ...TriggerRequested, http: 5 };
  await request(world, recordOf('TriggerRequested', waiting, { id: 'req_w', correlationId: 'req_w', workspace }));
  const replies: Reply[] = [];
  world.log.onReply('gw_1', (reply) => replies.push(reply));
  await world.trigger('dc_1');
  const life = await Life.begin(world);
  await until(() => runs(world).some(({ outcome }) => outcome === 'succeeded'), 'the good run');
  await until(() => replies.some((reply) => 'correlationId' in reply && reply.correlationId === 'req_w'), 'the answer');
  const refused = runs(world).filter(({ outcome }) => outcome === 'refused');
  expect(refused).toHaveLength(bad.length + 1);
  expect(new Set(refused.map(({ error }) => error?.name))).toEqual(new Set(['MalformedTriggerError']));
  expect(replies.at(-1)).toMatchObject({ type: 'RunEnded', failed: true });
  expect(new Set(life.alerts)).toEqual(new Set(['malformed_record triggers']));
  expect(life.failure).toBeUndefined();
  await life.stop(0);
});

test.each([
  [
    'a request whose secret headers cannot be opened',
    {},
    { http: { sealedHeaders: damagedSeal } },
    /What is secret in the request cannot be opened/,
  ],
  ['a source whose secret props cannot be opened', { token: damagedSeal }, {}, /configured props/],
])('refuses a run of %s with a reason, and does not stop the stage', async (_, props, options, reason) => {
  const world = await newWorld(props);
  await world.deploy('dc_2', component);
  await world.trigger('dc_1', options);
  await world.trigger('dc_2');
  const life = await Life.begin(world);
  await until(() => runs(world).length === 2, 'both runs');
  const byOutcome = Object.fromEntries(runs(world).map((run) => [run.sourceId, run]));
  expect(byOutcome['dc_2']?.outcome).toBe('succeeded');
  expect(byOutcome['dc_1']).toMatchObject({ outcome: 'refused', error: { message: expect.stringMatching(reason) } });
  expect([life.alerts, life.failure]).toEqual([['seal_does_not_open dc_1'], undefined]);
  await life.stop(0);
});

const levels = 24_000;
/** Nested too deeply for `JSON.stringify`, though an earlier guest accepted it. */
const deepText = `{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const deep = { $sealed: encrypt(Buffer.alloc(32, 2), Buffer.from(deepText), Buffer.alloc(nonceBytes), workspace) };

test.each([
  ['cannot be opened', damagedSeal],
  ['holds a value deeper than any stack', deep],
])('refuses a run of a source whose db %s, and keeps what is stored', async (_, db) => {
  const world = await newWorld();
  const state = { ...samples.state.SourceStateSaved, sourceId: 'dc_1', db, finishedBelow: { hooks: 0, runs: 0 } };
  const runtime = await world.log.own('runtime', 0);
  const record = recordOf('SourceStateSaved', state, { key: 'dc_1', workspace });
  await runtime.append([{ topic: 'state', partition: 0, record }], {});
  await world.trigger('dc_1');
  const life = await Life.begin(world);
  await until(() => runs(world).length === 1, 'the run');
  expect(runs(world)).toMatchObject([{ outcome: 'refused', error: { name: 'SealedError' } }]);
  expect([life.alerts, life.failure]).toEqual([['seal_does_not_open dc_1'], undefined]);
  expect(world.log.records('state').map(({ data }) => (data as { db: unknown }).db)).toEqual([db]);
  await life.stop(0);
});
