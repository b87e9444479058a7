import { jest } from '@jest/globals';
import { ResponseWatch, responsiveFirst } from './silent-brokers.ts';

const addresses = ['a:1', 'b:1', 'c:1'];
beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: false });
});
afterEach(() => {
  jest.useRealTimers();
});

const lastOf = (tries: number): Set<string | undefined> =>
  new Set(Array.from({ length: tries }, () => responsiveFirst(addresses).at(-1)));

test('the order is random and includes all addresses', () => {
  const firsts = new Set(Array.from({ length: 200 }, () => responsiveFirst(addresses)[0]));
  expect([...firsts].toSorted()).toEqual(addresses);
  expect(responsiveFirst(addresses).toSorted()).toEqual(addresses);
});

test('an address that left a request unanswered comes last for a while', () => {
  const listening = new ResponseWatch('b:1');
  listening.markResponse();
  listening.markRequest();
  jest.advanceTimersByTime(5_000);
  listening.end();
  expect([...lastOf(50)]).toEqual(['b:1']);
  jest.advanceTimersByTime(31_000);
  expect(lastOf(200).size).toBe(3);
});

test('an address that has answered, or was asked only a moment ago, is not put last', () => {
  const answered = new ResponseWatch('a:1');
  answered.markRequest();
  answered.markResponse();
  jest.advanceTimersByTime(60_000);
  answered.end();
  const justAsked = new ResponseWatch('c:1');
  justAsked.end();
  expect(lastOf(200).size).toBe(3);
});
