import { matches } from './matching.ts';

const event = (channel: string) => ({ emitterId: 'dc_a', channel });

test('a subscription without an event name gets every channel but those that begin with $', () => {
  const subscription = { emitterId: 'dc_a', eventName: null };
  expect(matches(subscription, event(''))).toBe(true);
  expect(matches(subscription, event('orders'))).toBe(true);
  expect(matches(subscription, event('a$b'))).toBe(true);
  expect(matches(subscription, event('$errors'))).toBe(false);
});

test('an event name is one channel, a $ channel included, and the empty one is the default channel', () => {
  expect(matches({ emitterId: 'dc_a', eventName: 'orders' }, event('orders'))).toBe(true);
  expect(matches({ emitterId: 'dc_a', eventName: 'orders' }, event('order'))).toBe(false);
  expect(matches({ emitterId: 'dc_a', eventName: '$errors' }, event('$errors'))).toBe(true);
  expect(matches({ emitterId: 'dc_a', eventName: '' }, event(''))).toBe(true);
  expect(matches({ emitterId: 'dc_a', eventName: '' }, event('orders'))).toBe(false);
});

test('an emitter is one source, and dc_* is every source', () => {
  expect(matches({ emitterId: 'dc_b', eventName: null }, event(''))).toBe(false);
  expect(matches({ emitterId: 'dc_*', eventName: null }, event(''))).toBe(true);
  expect(matches({ emitterId: 'dc_*', eventName: 'x' }, event(''))).toBe(false);
});
