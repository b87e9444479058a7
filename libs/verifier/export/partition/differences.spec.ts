// Every change to a list of records is found and named.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Difference, differencesOf, type Held, misnumbered } from './differences.ts';

const first = 100;
const signed = fc.uniqueArray(fc.nat({ max: 0xffffff }), { minLength: 2, maxLength: 60 });
const places = signed.chain((prints) => fc.tuple(fc.constant(prints), fc.nat({ max: prints.length - 1 })));

const heldOf = (prints: readonly number[], numbered = true): readonly Held[] =>
  prints.map((print, at) => ({ index: first + (numbered ? at : print), print, id: `id ${print}`, line: at + 1 }));
const named = (differences: readonly Difference[]): readonly string[] =>
  differences.map(({ kind, index, held }) => [kind, index, held?.id].filter((part) => part !== undefined).join(' '));

/** A print that no record has: theirs are lower. */
const strange = 0x1000000;

describe('what differs', () => {
  it('is empty when nothing was changed', () => {
    fc.assert(fc.property(signed, (prints) => expect(differencesOf(first, prints, heldOf(prints))).toEqual([])));
  });

  it('is the record that was changed', () => {
    const law = fc.property(places, ([prints, at]) => {
      const held = heldOf(prints.with(at, strange));
      expect(named(differencesOf(first, prints, held))).toEqual([`changed ${first + at} id ${strange}`]);
    });
    fc.assert(law);
  });

  it('is the record that was dropped, whether or not later ones were renumbered', () => {
    const law = fc.property(places, fc.boolean(), ([prints, at], isNumberedAnew) => {
      const whole = isNumberedAnew ? prints : heldOf(prints);
      const held = isNumberedAnew
        ? heldOf(prints.toSpliced(at, 1))
        : (whole as readonly Held[]).filter((_, place) => place !== at);
      expect(named(differencesOf(first, prints, held))).toEqual([`missing ${first + at}`]);
    });
    fc.assert(law);
  });

  it('is the record that was added, also one that is there already', () => {
    const law = fc.property(places, fc.boolean(), ([prints, at], isCopy) => {
      const [extra = 0] = isCopy ? prints.slice(at) : [strange];
      const held = heldOf(prints.toSpliced(at + 1, 0, extra));
      const found = differencesOf(first, prints, held);
      expect(found).toHaveLength(1);
      expect(found).toMatchObject([{ kind: 'added', held: { id: `id ${extra}` } }]);
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
    const held = heldOf([5, 6, 7]).map((record, at) => (at === 1 ? { ...record, index: 900 } : record));
    expect(differencesOf(first, [5, 6, 7], held)).toEqual([]);
    expect(named(misnumbered(first, held))).toEqual(['changed 101 id 6']);
  });
});
