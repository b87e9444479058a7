// A listening source runs with the result of the subscription's transform.
import { jest } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { FilterVersion } from '../../../domain/delivery/filter/filter-history.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import { retryTransform, type TransformOutcome } from '../../../domain/delivery/transform/transform.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';
import { Transforming } from './transforming.ts';

describe('in delivery', () => {
  let world: DeliveryWorld;
  beforeEach(async () => {
    world = new DeliveryWorld();
    await world.addKey();
  });
  afterEach(async () => {
    expect(world.fatal).toEqual([]);
    await world.end();
  });

  async function subscribed(transform: string, from?: number): Promise<void> {
    const since: FilterVersion = { channelEnds: from === undefined ? [] : [from], filter: null, transform };
    const data = { subscriptionId: 'sub_s', partition: 0, filters: [since] };
    await world.append('subscriptions', world.record('FilterDefined', 'sub_s/filter', data));
    await world.subscribe('sub_s', { listenerId: 'dc_l', channelEnd: 0 });
  }

  const events = (): unknown[] =>
    (world.log.records('triggers').filter(({ key }) => key === 'dc_l') as Trigger[]).map(({ data }) => data.event);
  const counters = (): CursorCounters | undefined =>
    world.cursor('sub_s/dc_a')?.data['counters'] as CursorCounters | undefined;

  test('a source runs for each transformed event in order, and dropped events count as filtered', async () => {
    await subscribed('({ n }, { event_name }) => (n % 2 === 0 ? null : { body: [n, event_name] })');
    await world.start();
    await world.emit(upTo(500), { channel: 'c' });
    await until('all to be counted', () => counters()?.published === 500);
    expect(events()).toEqual(upTo(250).map((n) => [2 * n - 1, 'c']));
    expect(counters()).toMatchObject({ delivered: 250, filtered: 250, parked: 0 });
    expect(world.delivered('sub_s')).toBe(250);
  });

  test('an event whose transform throws is parked with the place in the code, and the next one continues', async () => {
    await subscribed('({ n }) => {\n  if (n === 1) throw new Error("not one");\n  return {}; }');
    await world.start();
    await world.emit(upTo(2));
    await until('both to be counted', () => counters()?.delivered === 1);
    expect(counters()).toMatchObject({ published: 2, parked: 1, filtered: 0 });
    expect(events()).toMatchObject([{ n: 2 }]);
    expect(world.deliveries('sub_s').map(({ type, data }) => [type, data])).toMatchObject([
      [
        'DeliveryAttempted',
        {
          webhookId: 'dc_l',
          outcome: 'failed',
          failure: 'transform_failed',
          nextAttemptAt: null,
          message: expect.stringMatching(/^line 2, column \d+: Error: not one$/) as string,
        },
      ],
      ['DeliveryParked', { webhookId: 'dc_l', attempts: 1, reason: 'attempts_exhausted' }],
      ['DeliveryAttempted', { outcome: 'delivered' }],
    ]);
  });

  test('an event whose transform cannot run yet waits for it, and nothing behind it is parked', async () => {
    await subscribed('({ n }) => ({ body: n })');
    const transform = jest.spyOn(world.transformer, 'transform');
    for (let n = 0; n < 3; n++) transform.mockResolvedValueOnce(retryTransform('It rests', 20));
    await world.start();
    await world.emit(upTo(5));
    await until('all to be counted', () => counters()?.published === 5);
    expect(events()).toEqual(upTo(5));
    expect([transform.mock.calls.length, counters()]).toMatchObject([8, { delivered: 5, parked: 0 }]);
  });

  test('each transformed event is passed on once, in order, even when killed and restarted repeatedly', async () => {
    await subscribed('({ n }) => (n % 10 === 0 ? null : { body: n })');
    await world.start();
    for (let n = 1; n <= 500; n += 100) {
      const before = events().length;
      await world.emit(upTo(100).map((one) => n - 1 + one));
      await until('some progress', () => events().length > before);
      await world.stop(0);
      await world.start();
    }
    await until('all to be counted', () => counters()?.published === 500);
    expect(events()).toEqual(upTo(500).filter((n) => n % 10 !== 0));
    expect(counters()).toMatchObject({ delivered: 450, filtered: 50 });
  });
});

describe('in turn', () => {
  const eventOf = (n: number): BufferedEvent =>
    ({ eventId: `${n}-0`, channel: '', emitterId: 'dc_a', body: String(n) }) as BufferedEvent;
  const cursorOf = (workspace: string, nextEvent: BufferedEvent): SourceCursor =>
    ({ subscription: { subscriptionId: `sub_${nextEvent.body}`, workspace }, nextEvent }) as SourceCursor;

  /** Transforms that end when the test ends them. */
  function heldTransforms() {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ready: SourceCursor[] = [];
    const transforming = new Transforming({
      transformer: {
        transform: ({ event }) => {
          begun.push(event);
          return new Promise<TransformOutcome>((resolve) =>
            ends.push(() => resolve({ kind: 'sent', body: `made of ${event}`, headers: {} })),
          );
        },
      },
      ready: (cursor) => ready.push(cursor),
    });
    const ask = (cursor: SourceCursor): TransformOutcome | undefined =>
      transforming.takeResult({ cursor, event: cursor.nextEvent as BufferedEvent, text: '' });
    const endNext = async (): Promise<void> => {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { transforming, begun, ready, ask, endNext };
  }

  test('a workspace has a limited number of transforms at once, and another workspace starts immediately', async () => {
    const { begun, ready, ask, endNext } = heldTransforms();
    const many = upTo(10_000).map((n) => cursorOf('o_many', eventOf(n)));
    for (const cursor of many) expect(ask(cursor)).toBeUndefined();
    expect(begun).toHaveLength(16);
    ask(cursorOf('o_other', eventOf(10_001)));
    expect(begun.at(-1)).toBe('10001');
    for (let n = 0; n < 10_001; n++) await endNext();
    expect(begun).toHaveLength(10_001);
    expect(ready).toHaveLength(10_001);
    expect(ask(many[0] as SourceCursor)).toEqual({ kind: 'sent', body: 'made of 1', headers: {} });
  });

  test('the result for one event is not used for another that is next by then', async () => {
    const { begun, transforming, ask, endNext } = heldTransforms();
    const cursor = cursorOf('o_1', eventOf(1)) as { -readonly [Name in keyof SourceCursor]: SourceCursor[Name] };
    ask(cursor as SourceCursor);
    expect(transforming.isBusy(cursor as SourceCursor)).toBe(true);
    cursor.nextEvent = eventOf(2);
    await endNext();
    expect(transforming.isBusy(cursor as SourceCursor)).toBe(false);
    expect(ask(cursor as SourceCursor)).toBeUndefined();
    expect(begun).toEqual(['1', '2']);
  });

  test('when the next event of a waiting cursor is gone, it asks again, and those behind it begin', async () => {
    const { begun, ready, ask, endNext } = heldTransforms();
    const cursors = upTo(18).map((n) => cursorOf('o_1', eventOf(n)) as { nextEvent: BufferedEvent | undefined });
    for (const cursor of cursors) ask(cursor as SourceCursor);
    (cursors[16] as { nextEvent: unknown }).nextEvent = undefined;
    await endNext();
    expect(begun.at(-1)).toBe('18');
    expect(ready).toEqual([cursors[0], cursors[16]]);
  });
});
