import { changesOf, defaultPolicy, requestOf } from './policy.ts';

test('retries are numbers separated by commas, and a comma at the end is no retry at once', () => {
  const scheduleOf = (retries: string) => requestOf({ ...defaultPolicy, retries })['retry_schedule'];
  expect(scheduleOf('5, 60, 600')).toEqual([5, 60, 600]);
  expect(scheduleOf('5, 60,')).toEqual([5, 60]);
  expect([scheduleOf(''), scheduleOf(' , ')]).toEqual([null, null]);
});

test('text that is not a number is sent, so that the service refuses the field by its name', () => {
  expect(requestOf({ ...defaultPolicy, retries: '5s', rateLimit: 'x' })).toMatchObject({
    retry_schedule: [Number.NaN],
    rate_limit: Number.NaN,
  });
});

test('an order key is sent only for ordered deliveries', () => {
  const keyed = { ...defaultPolicy, orderKey: ' /customer/id ' };
  expect(requestOf(keyed)).toMatchObject({ ordered: true, order_key: '/customer/id' });
  expect(requestOf({ ...keyed, ordered: false })).toMatchObject({ ordered: false, order_key: null });
});

test('a cleared description is removed', () => {
  const described = { ...defaultPolicy, description: 'For the shop' };
  expect(changesOf(described, { ...described, description: ' ' })).toEqual({ description: null });
});

test('only what was changed is sent', () => {
  const stored = { ...defaultPolicy, url: 'https://a.b/c', name: 'Shop', retries: '5, 60' };
  expect(changesOf(stored, { ...stored, name: 'Store', retries: '5,60' })).toEqual({ name: 'Store' });
  expect(changesOf(stored, stored)).toEqual({});
});
