// Segments of the index: each offset added is found again in one of the parts, and parts stay small.
import fc from 'fast-check';
import { partitionOf } from '../../flow.ts';
import { partOf, Segment, offsetsIn } from './segment.ts';

const kinds = ['EventEmitted', 'EventsDeleted'] as const;

test('all offsets of a source are in one part, in order', () => {
  const record = fc.record({ emitter: fc.nat(40), kind: fc.constantFrom(...kinds), gap: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 2_000 }), fc.nat(1_000_000), (records, from) => {
      const segment = new Segment(from);
      const added: { emitterId: string; kind: (typeof kinds)[number]; offset: number }[] = [];
      let offset = from;
      for (const { emitter, kind, gap } of records) {
        offset += gap;
        segment.add(kind, `dc_${emitter}`, offset);
        added.push({ emitterId: `dc_${emitter}`, kind, offset: offset++ });
      }
      const parts = segment.parts();
      for (const emitterId of new Set(added.map((one) => one.emitterId))) {
        const of = (kind: string) =>
          added.filter((one) => one.emitterId === emitterId && one.kind === kind).map((one) => one.offset);
        const expected = { events: of('EventEmitted'), deletions: of('EventsDeleted') };
        expect(segment.offsetsOf(emitterId)).toEqual(expected);
        const part = parts[partOf(emitterId, parts.length)];
        expect(part && offsetsIn(part, emitterId)).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
});

test('parts have a few KiB each, also when all sources share one partition, and take few bytes per record', () => {
  const segment = new Segment(1_000_000);
  const ids = Array.from({ length: 200_000 }, (_, n) => `dc_${String(n).padStart(16, '0')}`);
  const own = ids.filter((id) => partitionOf(id, 16) === 3).slice(0, 1_000);
  for (let n = 0; n < 16_384; n++) segment.add('EventEmitted', own[(n * 7919) % own.length] ?? '', 1_000_000 + n * 16);
  const sizes = segment.parts().map((part) => JSON.stringify(part).length);
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(12 * 1024);
  expect(sizes.reduce((sum, size) => sum + size) / 16_384).toBeLessThan(10);
});

test('a record that was added before is not added again', () => {
  const segment = new Segment(10);
  for (const offset of [4, 10, 12, 12, 11]) segment.add('EventEmitted', 'dc_a', offset);
  expect([segment.offsetsOf('dc_a').events, segment.records, segment.to]).toEqual([[10, 12], 2, 13]);
});
