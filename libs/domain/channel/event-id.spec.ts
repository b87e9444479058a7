import fc from 'fast-check';
import { firstEvent, stampEvent, stampEvents } from './event-id.ts';

test('ids are dense from 0 and their time never goes back, however the clock jumps', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000)), (clockReadings) => {
      let clock = firstEvent;
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
