import fc from 'fast-check';
import { orderRange } from '../deletion/order-range.ts';
import { eventOrder, initialEventClock, stampEvent, stampEvents, timeOfOrder } from './event-id.ts';

test('ids are dense from 0 and their time never goes back, however the clock jumps', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000)), (clockReadings) => {
      let clock = initialEventClock;
      const stamps = clockReadings.map((now) => {
        const stamp = stampEvent(clock, now);
        clock = stamp.clock;
        return stamp;
      });
      stamps.forEach(({ eventId, at }, index) => {
        expect(eventId).toBe(`${at}-${index}`);
        expect(at).toBeGreaterThanOrEqual(Math.max(clockReadings[index] ?? 0, stamps[index - 1]?.at ?? 0));
      });
    }),
  );
});

test('ids made in one batch equal ids made one after another at the same time', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(5), fc.nat(20), (nextSeq, lastEventMs, before, count) => {
      const now = lastEventMs + before - 2;
      let clock = { nextSeq, lastEventMs };
      const single = Array.from({ length: count }, () => {
        const stamp = stampEvent(clock, now);
        clock = stamp.clock;
        return stamp;
      });
      const stamps = stampEvents({ nextSeq, lastEventMs }, now);
      expect(single.map((_, index) => stamps.idAt(index))).toEqual(single.map(({ eventId }) => eventId));
      expect(single.every(({ at }) => at === stamps.at)).toBe(true);
      expect(stamps.clockAfter(count)).toEqual(clock);
    }),
  );
});

describe('the order of events', () => {
  const digits = fc.integer({ min: 0, max: 53 }).chain((bits) => fc.maxSafeNat().map((n) => n % 2 ** bits));
  const event = fc.tuple(digits, digits);
  const orderOf = ([at, seq]: readonly [number, number]): string => eventOrder(`${at}-${seq}`);

  test('sorts as the times and numbers in their ids, however many digits they have', () => {
    const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);
    const near = event.chain((one) =>
      fc.tuple(fc.constant(one), fc.oneof(event, fc.tuple(fc.constant(one[0]), digits))),
    );
    fc.assert(
      fc.property(near, ([a, b]) => {
        expect(compare(orderOf(a), orderOf(b))).toBe(compare(a[0], b[0]) || compare(a[1], b[1]));
      }),
    );
  });

  test('tells the time, and sorts behind the time alone', () => {
    fc.assert(
      fc.property(event, ([at, seq]) => {
        expect(timeOfOrder(orderOf([at, seq]))).toBe(at);
        expect(orderOf([at, seq]) > eventOrder(`${at}`)).toBe(true);
        expect(eventOrder(`${at + 1}`) > orderOf([at, seq])).toBe(true);
      }),
    );
  });

  test('a range holds its first and its last event and what is between, and without ends every event', () => {
    fc.assert(
      fc.property(event, ([at, seq]) => {
        const order = orderOf([at, seq]);
        const only = orderRange({ startId: `${at}-${seq}`, endId: `${at}-${seq}` });
        expect([only.from <= order, order < only.to, orderOf([at, seq + 1]) < only.to]).toEqual([true, true, false]);
        const all = orderRange({ startId: null, endId: null });
        expect([all.from <= order, order < all.to]).toEqual([true, true]);
      }),
    );
  });

  test('is short', () => {
    expect(eventOrder('1606511826306-2')).toBe('8ki0rnuki12');
  });
});
