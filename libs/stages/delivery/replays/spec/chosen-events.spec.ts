// A replay of parked or failed events sends those that were parked or had failed when it began, whatever follows.
import { pause, until } from '../../../../../test/support/until.ts';
import type { CursorCounters } from '../../../../domain/delivery/messages.ts';
import { upTo } from '../../delivery.world.fake.ts';
import { ReplayWorld } from './replay-world.fake.ts';

const live = 'sub_1/dc_a';
let world: ReplayWorld;
afterEach(() => world.end());

const countersOf = (key: string): CursorCounters => world.cursor(key)?.data['counters'] as CursorCounters;

/** Long enough for an attempt to end, and for a replay to begin. */
const heldMs = 50;

/** Whether the receiver delays its answers to the events 2 to 4 of the replay `rpl_1`. */
let isHeld: boolean;

/**
 * Four parked events, a replay of which has delivered one and sent the others, which are held; and two in flight, which
 * become parked after it began.
 */
async function replaySome(only: 'parked' | 'failed'): Promise<void> {
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [] });
  world.webhook.script = ({ body }) => (/"n":[56],/.test(body) ? 'hangs' : { status: 500 });
  await world.start();
  await world.emit(upTo(6));
  await until('four to be parked', () => countersOf(live)?.parked === 4 && world.webhook.inFlight === 2);
  const late = world.webhook.calls.filter((call) => call.outcome === undefined);
  isHeld = true;
  world.webhook.script = ({ body, headers }) =>
    isHeld && headers['webhook-replay-id'] === 'rpl_1' && !body.includes('"n":1,') ? 'hangs' : { status: 200 };
  await world.requestReplay('rpl_1', { only });
  await until('it to be under way', () => world.replay('rpl_1')?.counters.delivered === 1);
  await until('the others to be held', () => world.resent('rpl_1').length === 4);
  for (const call of late) call.settle({ status: 500 });
  await until('the others to be parked', () => world.deliveries('sub_1').filter(isParked).length === 6);
}

/** Kills the stage, stops the delays, and returns what the replay then sends. */
async function sentAfterKill(): Promise<readonly number[]> {
  await world.stop(0);
  const sent = world.resent('rpl_1').length;
  isHeld = false;
  await world.start();
  await world.whenDone('rpl_1');
  return world.resent('rpl_1').slice(sent).toSorted();
}

const isParked = ({ type }: { readonly type: string }): boolean => type === 'DeliveryParked';

test.each(['parked', 'failed'] as const)(
  'after a kill a replay of %s events sends none that was parked after it began',
  async (only) => {
    await replaySome(only);
    expect(world.replay('rpl_1')).toMatchObject({ state: 'running', total: 4 });
    await world.stop(0);
    await world.start();
    await until('them to be sent again', () => world.resent('rpl_1').length === 7);
    expect(await sentAfterKill()).toEqual([2, 3, 4]);
    expect(world.resent('rpl_1').toSorted()).toEqual([1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
    expect(world.replay('rpl_1')).toMatchObject({ total: 4, counters: { published: 4, delivered: 4 } });
    expect(countersOf(live)).toMatchObject({ published: 6, delivered: 4, parked: 2 });
  },
);

test('after a kill a replay still sends an event that another one has delivered meanwhile, and counts it once', async () => {
  await replaySome('parked');
  await world.requestReplay('rpl_2', { only: 'parked' });
  await world.whenDone('rpl_2');
  expect(world.resent('rpl_2').toSorted()).toEqual([2, 3, 4, 5, 6]);
  expect(await sentAfterKill()).toEqual([2, 3, 4]);
  expect(world.replay('rpl_1')).toMatchObject({ total: 4, counters: { delivered: 4, expired: { gone: 0 } } });
  expect(countersOf(live)).toMatchObject({ published: 6, delivered: 6, parked: 0 });
});

test('what another replay has delivered counts once, also while the record of that still waits for the log', async () => {
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [] });
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit([1]);
  await until('it to be parked', () => countersOf(live)?.parked === 1);
  world.webhook.script = () => 'hangs';
  await world.requestReplay('rpl_1', { only: 'parked' });
  await until('its attempt', () => world.webhook.inFlight === 1);
  const written = world.log.holdAppends();
  world.webhook.calls.at(-1)?.settle({ status: 200 });
  await pause(heldMs);
  world.webhook.script = () => ({ status: 200 });
  await world.requestReplay('rpl_2', { only: 'parked' });
  await pause(heldMs);
  written();
  await Promise.all([world.whenDone('rpl_1'), world.whenDone('rpl_2')]);
  expect([world.resent('rpl_1'), world.resent('rpl_2')]).toEqual([[1], []]);
  expect(countersOf(live)).toMatchObject({ published: 1, delivered: 1, parked: 0 });
});
