// An event for so many subscriptions that it takes several turns of the event loop reaches each cursor once.
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../../../test/support/until.ts';
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { TailEvents } from './tail-events.ts';

const count = 10;
const event = { topic: 'channels', type: 'EventEmitted', offset: 4, workspace: 'o_1', data: { emitterId: 'dc_1' } };

/** Handing an event to each of `count` subscriptions takes longer than a piece. */
function slow({ failsAt = Infinity } = {}) {
  const [reached, indexed, moved]: [number[], number[], number[]] = [[], [], []];
  let handedCount = 0;
  const subscription = {
    /** Called for each subscription; undefined: it gets nothing. */
    get base(): number | undefined {
      for (const from = performance.now(); performance.now() - from < 12;);
      if (handedCount++ === failsAt) throw new Error('A record that cannot be taken.');
      return undefined;
    },
  };
  const parts = {
    set tailAt(to: number) {
      reached.push(to);
    },
    registry: { matching: () => Array.from({ length: count }, () => subscription) },
    index: { take: (piece: readonly unknown[]) => indexed.push(piece.length) },
    outbox: { advancePosition: (_: string, next: number) => moved.push(next) },
  } as unknown as DeliveryParts;
  let passedCount = 0;
  const tolerate: TaskContext['tolerate'] = (_, work) => {
    try {
      return work();
    } catch {
      passedCount++;
      return undefined;
    }
  };
  const events = new TailEvents({ partition: 1, tolerate }, parts);
  const take = (...records: object[]) => events.take(records as unknown as RecordsOn<'channels'>, 9);
  return { take, reached, indexed, moved, handedCount: () => handedCount, passedCount: () => passedCount };
}

test('between its subscriptions the loop turns, and the mark moves once all have it', async () => {
  const { take, reached, indexed, moved, handedCount } = slow();
  const taking = take(event);
  expect([handedCount(), reached.at(-1), indexed, moved]).toEqual([1, 9, [1], []]);
  let turns = 0;
  const turning = setInterval(() => turns++, 0);
  for (let before = handedCount(); before < count; before = handedCount()) {
    expect(moved).toEqual([]);
    await turn();
  }
  await taking;
  clearInterval(turning);
  expect(turns).toBeGreaterThan(0);
  expect(indexed.reduce((sum, one) => sum + one, 0)).toBe(1);
  expect([handedCount(), new Set(reached), moved]).toEqual([count, new Set([9]), [9]]);
});

test('an event that cannot be taken is passed over once, and the next one is taken', async () => {
  const { take, moved, handedCount, passedCount } = slow({ failsAt: 2 });
  await take(event, { ...event, offset: 6 });
  expect([handedCount(), passedCount(), moved.at(-1)]).toEqual([3 + count, 1, 9]);
});

test('cursors that begin, fall behind and read again meanwhile get each event once', async () => {
  // Few events fit into memory, so that cursors always fall behind and join the tail again.
  const world = new DeliveryWorld({ bufferBytesMax: 40_000, queuedMax: 4, patienceMs: 1, catchUpHigh: 4 });
  const [subscriptions, events] = [1_500, 12];
  const ids = Array.from({ length: subscriptions }, (_, n) => `sub_${n}`);
  try {
    await world.addKey();
    for (let n = 0; n < 10; n++) await world.addWebhook(`wh_${n}`);
    for (const [n, id] of ids.entries()) await world.subscribe(id, { listenerId: `wh_${n % 10}` });
    await world.start();
    for (const n of upTo(events)) {
      await world.emit([n]);
      for (let turns = 0; turns < n * 3; turns++) await turn();
    }
    await until('all', () => world.webhook.calls.length >= subscriptions * events, 50_000);
    await world.markAtEnd();
    expect(world.webhook.calls).toHaveLength(subscriptions * events);
    const sent = new Set(world.webhook.calls.map(({ request }) => request.headers['webhook-id']));
    expect(sent.size).toBe(subscriptions * events);
    const isFinished = (id: string): boolean => world.finished(`${id}/dc_a`) === events;
    await until('the records of all cursors', () => ids.every(isFinished));
    expect(world.fatal).toEqual([]);
  } finally {
    await world.end();
  }
}, 60_000);
