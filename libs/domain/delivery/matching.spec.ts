import { versionOf } from '../record/record-version.ts';
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

test('a source id matches one source, dc_* matches every source', () => {
  expect(matches({ emitterId: 'dc_b', eventName: null }, event(''))).toBe(false);
  expect(matches({ emitterId: 'dc_*', eventName: null }, event(''))).toBe(true);
  expect(matches({ emitterId: 'dc_*', eventName: 'x' }, event(''))).toBe(false);
});

test.each(['o_home', 'u_1'])('the owner %s matches every source that it owns', (emitterId) => {
  expect(matches({ emitterId, eventName: '$errors' }, event('$errors'))).toBe(true);
  expect(matches({ emitterId, eventName: null }, event('orders'))).toBe(true);
  expect(matches({ emitterId, eventName: null }, event('$errors'))).toBe(false);
});

test('records that name an owner, and replays of every source, have a version that older programs wait at', () => {
  const triple = { emitterId: 'o_home', listenerId: 'wh_1', eventName: null };
  for (const type of ['CreateSubscription', 'SubscriptionCreated', 'SubscriptionDefined', 'LogsRequested']) {
    expect(versionOf({ type, data: triple })).toBe(6);
    expect(versionOf({ type, data: { ...triple, emitterId: 'dc_*' } })).toBeLessThan(6);
  }
  for (const type of ['ReplayRequested', 'ReplayCancelRequested', 'ReplayAdvanced']) {
    const versions = ['dc_*', 'o_home', 'dc_a'].map((emitterId) => versionOf({ type, data: { emitterId } }));
    expect(versions).toEqual([6, 6, 1]);
  }
});
