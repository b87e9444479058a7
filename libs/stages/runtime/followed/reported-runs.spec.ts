// What runs print is reported on $logs as long as there is a subscription to it.
import type { EmittedEvent, RunEvent } from '../../../domain/channel/messages.ts';
import { checkRecord } from '../../../domain/record/check-record.ts';
import { Life, until } from '../testing/life.fake.ts';
import { World } from '../testing/world.fake.ts';

let world: World;
let life: Life | undefined;
let posted: number;

beforeEach(async () => {
  world = new World();
  posted = 0;
  await world.addKey();
  for (const sourceId of ['dc_a', 'dc_b']) {
    await world.deploy(sourceId, {
      run: ({ event, emit, console }) => {
        const { say, fail } = (event as { readonly body: { readonly say?: string; readonly fail?: true } }).body;
        if (say !== undefined) console(say);
        emit({ event: 'emitted' });
        if (fail === true) throw new Error('bad luck');
      },
    });
  }
});

afterEach(async () => {
  await life?.stop(0);
  if (life?.failure !== undefined) throw life.failure;
});

const begin = async (): Promise<void> => {
  life = await Life.begin(world);
};
const events = (): readonly EmittedEvent['data'][] => world.data('channels');
const logs = (): readonly EmittedEvent['data'][] => events().filter(({ channel }) => channel === '$logs');
const reportedTexts = (): unknown[] =>
  logs().map(({ event }) => (event as { console: readonly { text: string }[] }).console.map(({ text }) => text));
const runs = (): readonly RunEvent['data'][] => world.data('runs');
/** Resolves when the source has run. */
async function printAndWait(text: string, sourceId = 'dc_a'): Promise<void> {
  await world.post(sourceId, { say: text });
  const count = ++posted;
  await until(() => runs().length === count, `${count} runs`);
}

test('a run that prints is reported on $logs while there is a subscription, after its other events; a silent one is not', async () => {
  await world.subscribe('sub_1', 'dc_a');
  await begin();
  await world.post('dc_a', { say: 'one', fail: true });
  await world.post('dc_a', {});
  await until(() => runs().length === 2, 'both');
  const [failed] = runs();
  expect(events().map(({ channel }) => channel)).toEqual(['', '$errors', '$logs', '']);
  expect(events().map(({ eventId }) => Number(eventId.split('-')[1]))).toEqual([0, 1, 2, 3]);
  expect(logs()).toEqual([
    {
      emitterId: 'dc_a',
      channel: '$logs',
      emit: {},
      runId: failed?.runId,
      eventId: expect.any(String),
      event: {
        run_id: failed?.runId,
        kind: 'http',
        outcome: 'failed',
        console: [{ level: 'log', text: 'one', ts: failed?.console[0]?.at }],
      },
    },
  ]);
  expect(failed?.emitted).toHaveLength(1);
  for (const record of world.log.records('channels')) expect(checkRecord('channels', record)).toBeUndefined();
});

test('no run is reported without a subscription to $logs, however many there are to other channels', async () => {
  await begin();
  for (let n = 0; n < 100; n++) await world.subscribe(`sub_${n}`, 'dc_a', n % 2 === 0 ? null : '$errors');
  await world.subscribe('sub_b', 'dc_b');
  await printAndWait('one');
  await printAndWait('two', 'dc_b');
  expect(reportedTexts()).toEqual([['two']]);
});

test('a subscription to every source reports each of them, from the first trigger after it', async () => {
  await begin();
  await printAndWait('zero');
  await world.subscribe('sub_1', 'dc_*');
  await printAndWait('one');
  await printAndWait('two', 'dc_b');
  expect(reportedTexts()).toEqual([['one'], ['two']]);
});

test('a run for an event of $logs is recorded but not reported on $logs, so that no source runs for its own output forever', async () => {
  await world.deploy('dc_collector', { run: ({ console }) => console('collected') });
  await world.subscribe('sub_1', 'dc_*');
  await begin();
  for (const channel of ['', '$logs', '$errors'])
    await world.trigger('dc_collector', { kind: 'event', hops: 2, channel });
  await until(() => runs().length === 3, 'all');
  expect(reportedTexts()).toEqual([['collected'], ['collected']]);
  expect(runs().map(({ console }) => console.length)).toEqual([1, 1, 1]);
});

test('reports the first trigger after a request even if the subscription itself has not been read', async () => {
  const { settledEnd } = world.log;
  await begin();
  world.log.settledEnd = () => new Promise(() => {});
  await world.requestLogs('dc_a');
  for (const text of ['one', 'two']) await printAndWait(text);
  world.log.settledEnd = settledEnd;
  expect(reportedTexts()).toEqual([['one'], ['two']]);
});

test('after a restart, subscriptions still count, and a run whose end was lost is reported once', async () => {
  await world.subscribe('sub_1', 'dc_a');
  life = await Life.begin(world, { killAt: (step) => step === 'taken' });
  await world.post('dc_a', { say: 'one' });
  await until(() => life?.killed === true, 'its end');
  await begin();
  await until(() => runs().length === 1, 'the run');
  expect(reportedTexts()).toEqual([['one']]);
});

test('leaves a console that does not fit into the append out of the event, and marks it as omitted', async () => {
  await world.subscribe('sub_1', 'dc_a');
  life = await Life.begin(world, { appendBytes: 12_000 });
  await printAndWait('x'.repeat(6_000));
  expect(logs().map(({ event }) => event)).toEqual([
    { run_id: runs()[0]?.runId, kind: 'http', outcome: 'succeeded', console: [], omitted: ['console'] },
  ]);
  expect(runs()[0]?.console[0]?.text).toHaveLength(6_000);
});
