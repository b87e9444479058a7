import fc from 'fast-check';
import { derivedId, derivedIds, idFromBytes, isId, timedId, timeOfId } from './id.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('an id is its prefix and 16 base62 characters', () => {
  expect(idFromBytes('dc', Buffer.alloc(12))).toBe('dc_0000000000000000');
  expect(idFromBytes('wh', Buffer.alloc(12, 0xff))).toMatch(/^wh_[0-9A-Za-z]{16}$/);
});

test('the same parts derive the same id, other parts another', () => {
  expect(derivedId('rec', 'cmd_1', 0)).toBe(derivedId('rec', 'cmd_1', 0));
  expect(derivedId('rec', 'cmd_1', 0)).not.toBe(derivedId('rec', 'cmd_1', 1));
  expect(derivedId('rec', 'ab', 'c')).not.toBe(derivedId('rec', 'a', 'bc'));
});

test('derived ids never change, since existing logs hold them', () => {
  expect(derivedId('rec', 'cmd_1', 0)).toBe('rec_93ao36NoZeD0BJXW');
});

test('ids by index start with the derived id, and all differ', () => {
  const idAt = derivedIds('rec', 'cmd_1', 'event');
  expect(idAt(0)).toBe(derivedId('rec', 'cmd_1', 'event'));
  const ids = Array.from({ length: 10_000 }, (_, index) => idAt(index));
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.every((id) => isId('rec', id))).toBe(true);
  expect(idAt(7)).toBe(ids[7]);
});

test('the index of an id carries into higher digits and wraps around past the highest', () => {
  const digits = (text: string): bigint =>
    [...text.slice('rec_'.length)].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const idAt = derivedIds('rec', name);
    const last = 2 ** 24 - 1;
    expect(digits(idAt(last))).toBe((digits(idAt(0)) + BigInt(last)) % 2n ** 96n);
  }
});

test('an id is distinguished from other text', () => {
  expect(isId('dc', derivedId('dc', 'x'))).toBe(true);
  expect(isId('wh', derivedId('dc', 'x'))).toBe(false);
  expect(isId('dc', 'dc_short')).toBe(false);
  expect(isId('dc', 'dc_0000000000000-00')).toBe(false);
});

test('an id made with a time gives that time back, and no other id gives one', () => {
  const anyId = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => idFromBytes('req', bytes));
  fc.assert(
    fc.property(anyId, anyId, fc.integer({ min: 0, max: 8_640_000_000_000_000 }), (id, other, at) => {
      const timed = timedId(id, at);
      expect(timed).toMatch(/^req_[0-9A-Za-z]{20}$/);
      expect(timeOfId('req', timed)).toBe(Math.min(at, 62 ** 8 - 1));
      expect([timeOfId('req', id), timeOfId('run', timed), timeOfId('req', `${timed}/key_1`)]).toEqual(
        Array.from({ length: 3 }),
      );
      expect(isId('req', timed)).toBe(false);
      if (id.slice(-12) !== other.slice(-12)) expect(timedId(other, at)).not.toBe(timed);
    }),
  );
  expect(timedId('req_0123456789abcdef', 1)).toBe('req_00000001456789abcdef');
});
