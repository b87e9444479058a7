import { pageOf } from './page-of.ts';

test('each record has the page of its kind, if its kind has pages', () => {
  expect(pageOf('dc_0000000000000001')).toBe('/sources/dc_0000000000000001');
  expect(pageOf('sub_0000000000000001')).toBe('/subscriptions/sub_0000000000000001');
  expect(pageOf('o_0000000000000001')).toBeUndefined();
});
