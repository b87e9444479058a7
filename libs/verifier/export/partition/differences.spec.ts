// Every change to a list of records is found and named.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Difference, differencesOf, type ExportedRecord, misnumbered } from './differences.ts';

const first = 100;
const signed = fc.uniqueArray(fc.nat({ max: 0xffffff }), { minLength: 2, maxLength: 60 });
const places = signed.chain((prints) => fc.tuple(fc.constant(prints), fc.nat({ max: prints.length - 1 })));

const heldOf = (prints: readonly number[], numbered = true): readonly ExportedRecord[] =>
  prints.map((print, at) => ({ index: first + (numbered ? at : print), print, id: `id ${print}`, line: at + 1 }));
const labels = (differences: readonly Difference[]): readonly string[] =>
  differences.map(({ kind, index, exported }) =>
    [kind, index, exported?.id].filter((part) => part !== undefined).join(' '),
  );

/** A print that no record has: theirs are lower. */
const strange = 0x1000000;

describe('what differs', () => {
  it('is empty when nothing was changed', () => {
    fc.assert(fc.property(signed, (prints) => expect(differencesOf(first, prints, heldOf(prints))).toEqual([])));
  });

  it('is the record that was changed', () => {
    const law = fc.property(places, ([prints, at]) => {
      const exported = heldOf(prints.with(at, strange));
      expect(labels(differencesOf(first, prints, exported))).toEqual([`changed ${first + at} id ${strange}`]);
    });
    fc.assert(law);
  });

  it('is the record that was dropped, whether or not later ones were renumbered', () => {
    const law = fc.property(places, fc.boolean(), ([prints, at], isNumberedAnew) => {
      const signedRecords = isNumberedAnew ? prints : heldOf(prints);
      const exported = isNumberedAnew
        ? heldOf(prints.toSpliced(at, 1))
        : (signedRecords as readonly ExportedRecord[]).filter((_, place) => place !== at);
      expect(labels(differencesOf(first, prints, exported))).toEqual([`missing ${first + at}`]);
    });
    fc.assert(law);
  });

  it('is the record that was added, also one that is there already', () => {
    const law = fc.property(places, fc.boolean(), ([prints, at], isCopy) => {
      const [extra = 0] = isCopy ? prints.slice(at) : [strange];
      const exported = heldOf(prints.toSpliced(at + 1, 0, extra));
      const found = differencesOf(first, prints, exported);
      expect(found).toHaveLength(1);
      expect(found).toMatchObject([{ kind: 'added', exported: { id: `id ${extra}` } }]);
    });
    fc.assert(law);
  });

  it('is one of two records that were swapped, or both', () => {
    const law = fc.property(places, fc.nat(), ([prints, at], more) => {
      const other = (at + 1 + (more % (prints.length - 1))) % prints.length;
      const [one = 0, another = 0] = [prints[at], prints[other]];
      const found = differencesOf(first, prints, heldOf(prints.with(at, another).with(other, one)));
      expect(found.length).toBeGreaterThan(0);
      for (const { kind, index } of found) {
        expect(kind).toBe('moved');
        expect([first + at, first + other]).toContain(index);
      }
    });
    fc.assert(law);
  });

  it('is a number that is not the record’s own', () => {
    const exported = heldOf([5, 6, 7]).map((record, at) => (at === 1 ? { ...record, index: 900 } : record));
    expect(differencesOf(first, [5, 6, 7], exported)).toEqual([]);
    expect(labels(misnumbered(first, exported))).toEqual(['changed 101 id 6']);
  });
});
