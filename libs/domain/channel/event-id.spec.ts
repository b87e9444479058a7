import fc from 'fast-check';
import { firstEvent, stampEvent } from './event-id.ts';

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
