import type { ConfigurableProp } from '../../api/records.ts';
import { choicesOf, draftOf, draftsOf, filled, isAsked, valueOf } from './prop-values.ts';

const prop = (type: string, more: Partial<ConfigurableProp> = {}): ConfigurableProp => ({ name: 'p', type, ...more });

test.each([
  ['string', 'hello'],
  ['integer', 42],
  ['boolean', true],
  ['object', { a: [1] }],
  ['string[]', ['a', 'b']],
  ['integer[]', [1, 2]],
])('a value of type %s is the same after it was in a form', (type, value) => {
  expect(valueOf(prop(type), draftOf(prop(type), value))).toEqual({ value });
});

test('a schedule is shown as the service shows it, and sent as components name it', () => {
  const timer = prop('$.interface.timer');
  expect(valueOf(timer, draftOf(timer, { cron: null, interval_seconds: 90 }))).toEqual({
    value: { intervalSeconds: 90 },
  });
  const daily = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };
  expect(valueOf(timer, draftOf(timer, { ...daily, interval_seconds: null }))).toEqual({ value: daily });
});

test('options keep their types: 1 and "1" are two choices', () => {
  const numbers = prop('integer', { options: [1, { label: 'Two', value: 2 }] });
  expect(choicesOf(numbers)).toEqual([
    { label: '1', value: '1' },
    { label: 'Two', value: '2' },
  ]);
  expect(valueOf(numbers, draftOf(numbers, 2))).toEqual({ value: 2 });
});

test.each([
  ['integer', '1.5', 'must be a whole number'],
  ['object', '{', 'must be JSON'],
])('what is no %s is told before it is sent', (type, text, problem) => {
  expect(valueOf(prop(type), text)).toEqual({ problem });
});

test('what is required and empty is told; what is optional and empty loses its value', () => {
  const props = [prop('string'), { ...prop('string', { optional: true }), name: 'q' }];
  expect(filled(props, { p: '', q: '' })).toEqual({ values: { q: null }, problems: { p: 'is required' } });
});

test('what the form held stays when the code is checked again', () => {
  expect(draftsOf([prop('string', { default: 'first' })], {}, { p: 'typed' })).toEqual({ p: 'typed' });
});

test('nobody is asked for what the service gives', () => {
  const given = ['$.interface.http', '$.service.db', 'alert'].map((type) => prop(type));
  expect([...given, prop('string', { hidden: true }), prop('integer', { static: 1 })].filter(isAsked)).toEqual([]);
});
