import { Problem } from '../../../api/problem.ts';
import { outcomeOf } from './outcome.ts';

const event = { id: 1 };
const preview = { matches: true, reason: null, transformed: null, error: null };

test('without a filter and a transform an event is sent as it is', () => {
  expect(outcomeOf(event, 'all')).toMatchObject({ word: 'sent', sent: event });
  expect(outcomeOf(event, { data: preview })).toMatchObject({ word: 'sent', sent: event });
});

test('a transformed event is shown as the transform made it', () => {
  const transformed = { body: { n: 1 }, headers: { 'x-kind': 'order' } };
  expect(outcomeOf(event, { data: { ...preview, transformed } })).toMatchObject({
    word: 'sent',
    sent: { n: 1 },
    headers: ['x-kind: order'],
  });
});

test('for an event that is left out the reason is shown, and for a failing transform the place', () => {
  const reason = 'total is not above 10';
  expect(outcomeOf(event, { data: { ...preview, matches: false, reason } })).toMatchObject({
    word: 'left out',
    reason,
  });
  const error = { message: 'x is not defined', line: 2, column: 5 };
  expect(outcomeOf(event, { data: { ...preview, error } })).toMatchObject({
    word: 'fails',
    reason: 'x is not defined (line 2, column 5)',
    sent: undefined,
  });
});

test('without an answer the outcome is unknown', () => {
  expect(outcomeOf(event, {}).word).toBe('not known');
  expect(outcomeOf(event, { error: new Problem('no function', {}) })).toMatchObject({
    word: 'not known',
    reason: 'no function',
  });
});
