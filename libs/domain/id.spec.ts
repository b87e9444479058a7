import { derivedId, idFromBytes, isId } from './id.ts';

test('an id is its prefix and 16 base62 characters', () => {
  expect(idFromBytes('dc', Buffer.alloc(12))).toBe('dc_0000000000000000');
  expect(idFromBytes('wh', Buffer.alloc(12, 0xff))).toMatch(/^wh_[0-9A-Za-z]{16}$/);
});

test('the same parts derive the same id, other parts another', () => {
  expect(derivedId('rec', 'cmd_1', 0)).toBe(derivedId('rec', 'cmd_1', 0));
  expect(derivedId('rec', 'cmd_1', 0)).not.toBe(derivedId('rec', 'cmd_1', 1));
  expect(derivedId('rec', 'ab', 'c')).not.toBe(derivedId('rec', 'a', 'bc'));
});

test('what an id is derived from gives the same id for good: it stands on logs', () => {
  expect(derivedId('rec', 'cmd_1', 0)).toBe('rec_93ao36NoZeD0BJXW');
});

test('an id is told from what is none', () => {
  expect(isId('dc', derivedId('dc', 'x'))).toBe(true);
  expect(isId('wh', derivedId('dc', 'x'))).toBe(false);
  expect(isId('dc', 'dc_short')).toBe(false);
  expect(isId('dc', 'dc_0000000000000-00')).toBe(false);
});
