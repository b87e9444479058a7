// Replays during changes of their webhook, their subscription or the log: a pause, another url, a filter, an outage.
import { jest } from '@jest/globals';
import { PortError } from '../../../../domain/port-error.ts';
import { until } from '../../../../../test/support/until.ts';
import { upTo } from '../../delivery.world.fake.ts';
import { ReplayWorld } from './replay-world.fake.ts';

const live = 'sub_1/dc_a';
let world: ReplayWorld;
afterEach(() => world.end());

const callsOf = (replayId: string) =>
  world.webhook.calls.filter(({ request }) => request.headers['webhook-replay-id'] === replayId);

test("a paused replay continues where it stopped, at the webhook's current url, and sends nothing twice", async () => {
  world = await ReplayWorld.with({ retrySchedule: [0] });
  await world.start();
  await world.emit(upTo(5));
  await until('all live', () => world.finished(live) === 5);
  world.webhook.script = () => 'hangs';
  await world.requestReplay('rpl_1');
  await until('it to begin', () => world.resent('rpl_1').length === 1);
  await world.disable('wh_1');
  await world.requestReplay('rpl_2');
  await until('the other to be taken', () => world.replay('rpl_2')?.state === 'pending');
  world.webhook.script = () => ({ status: 200 });
  callsOf('rpl_1')[0]?.settle({ status: 500 });
  const url = 'https://moved.example/in';
  await world.changeWebhook('wh_1', { url, disabled: false, generation: 1 });
  await Promise.all([world.whenDone('rpl_1'), world.whenDone('rpl_2')]);
  expect(world.resent('rpl_1')).toEqual([1, 1, 2, 3, 4, 5]);
  expect(world.resent('rpl_2')).toEqual(upTo(5));
  expect(new Set(callsOf('rpl_2').map(({ request }) => request.url))).toEqual(new Set([url]));
  expect(world.replay('rpl_1')?.counters.delivered).toBe(5);
});

test('events that a filter left out are not replayed, and not counted in a replay', async () => {
  world = await ReplayWorld.with({}, [{ channelEnds: [], filter: { n: [{ numeric: ['<=', 3] }] } }]);
  await world.start();
  await world.emit(upTo(10));
  await until('all to be counted', () => world.finished(live) === 10);
  await world.requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  expect(world.resent('rpl_1')).toEqual([1, 2, 3]);
  expect(world.replay('rpl_1')).toMatchObject({ total: 3, counters: { delivered: 3 } });
});

test('a request read while the end of the log is unknown is accepted once it is known, and ends no process', async () => {
  world = await ReplayWorld.with();
  await world.start();
  await world.emit(upTo(3));
  await until('all live', () => world.finished(live) === 3);
  const end = world.log.end.bind(world.log);
  let failed = 0;
  const away = jest.spyOn(world.log, 'end').mockImplementation((topic, partition) => {
    if (topic !== 'channels') return end(topic, partition);
    away.mockRestore();
    failed++;
    return Promise.reject(new PortError('unavailable', 'the log is away'));
  });
  await world.requestReplay('rpl_1');
  await world.whenDone('rpl_1');
  expect(failed).toBe(1);
  expect(world.resent('rpl_1')).toEqual(upTo(3));
  expect(world.fatal).toEqual([]);
});
