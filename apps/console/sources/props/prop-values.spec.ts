import type { ConfigurableProp } from '../../api/records.ts';
import { choicesOf, isAskable, labelOfChoice } from './prop-kinds.ts';
import { changedValues, draftOf, draftsOf, readDrafts, parseDraft } from './prop-values.ts';

const prop = (type: string, more: Partial<ConfigurableProp> = {}): ConfigurableProp => ({ name: 'p', type, ...more });

test.each([
  ['string', 'hello'],
  ['data_store', 'ds_8kQ2vYx0LmB4nTzR'],
  ['integer', 42],
  ['boolean', true],
  ['object', { a: [1] }],
  ['string[]', ['a', 'b']],
  ['integer[]', [1, 2]],
])('a value of type %s survives a round trip through the form', (type, value) => {
  expect(parseDraft(prop(type), draftOf(prop(type), value))).toEqual({ value });
});

test('what the user has not changed is not sent, unless it is a default that has no value yet', () => {
  const shown = { kept: 'a', changed: 'b', list: ['x'], emptied: 'c', default: 3, none: null };
  const values = { ...shown, list: ['x'], changed: 'B', emptied: null };
  const configured = { kept: 'a', changed: 'b', list: ['x'], emptied: 'c' };
  expect(changedValues(values, shown, configured)).toEqual({ changed: 'B', emptied: null, default: 3 });
});

test('a schedule is shown as the service shows it, and sent as components name it', () => {
  const timer = prop('$.interface.timer');
  expect(parseDraft(timer, draftOf(timer, { cron: null, interval_seconds: 90 }))).toEqual({
    value: { intervalSeconds: 90 },
  });
  const daily = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };
  expect(parseDraft(timer, draftOf(timer, { ...daily, interval_seconds: null }))).toEqual({ value: daily });
});

test('options keep their types: 1 and "1" are two choices', () => {
  const numbers = prop('integer', { options: [1, { label: 'Two', value: 2 }] });
  expect(choicesOf(numbers)).toEqual([
    { label: '1', value: '1' },
    { label: 'Two', value: '2' },
  ]);
  expect(parseDraft(numbers, draftOf(numbers, 2))).toEqual({ value: 2 });
});

test.each([
  ['integer', '1.5', 'must be a whole number'],
  ['object', '{', 'must be JSON'],
])('a value that is not a %s is reported before it is sent', (type, text, problem) => {
  expect(parseDraft(prop(type), text)).toEqual({ problem });
});

test('an empty required prop is reported; an empty optional prop loses its value', () => {
  const props = [prop('string'), { ...prop('string', { optional: true }), name: 'q' }];
  expect(readDrafts(props, { p: '', q: '' })).toEqual({ values: { q: null }, problems: { p: 'is required' } });
});

test('what was typed is kept when the code is checked again', () => {
  expect(draftsOf([prop('string', { default: 'first' })], {}, { p: 'typed' })).toEqual({ p: 'typed' });
});

test('what was typed for a prop is dropped when a prop of the same name has another type now', () => {
  const text = { p: 'typed' };
  expect(draftsOf([prop('boolean')], {}, text)).toEqual({ p: undefined });
  expect(draftsOf([prop('string[]')], {}, text)).toEqual({ p: [] });
  expect(draftsOf([prop('string', { remoteOptions: true })], {}, text)).toEqual({ p: '' });
});

describe('a prop whose options the component computes', () => {
  const city = prop('string', { remoteOptions: true, withLabel: true });

  test('is sent with its label, if the component asks for labels', () => {
    const draft = draftOf(city, { label: 'Kobe', value: 7 });
    expect([labelOfChoice(String(draft)), parseDraft(city, draft)]).toEqual([
      'Kobe',
      { value: { __lv: { label: 'Kobe', value: 7 } } },
    ]);
    const cities = { ...city, type: 'string[]' };
    expect(parseDraft(cities, draftOf(cities, [{ label: 'Kobe', value: 7 }]))).toEqual({
      value: { __lv: [{ label: 'Kobe', value: 7 }] },
    });
  });

  test('shows a plain value that was typed earlier', () => {
    expect(
      [draftOf(city, 'Nara'), draftOf(prop('integer', { remoteOptions: true }), 3)].map(String).map(labelOfChoice),
    ).toEqual(['Nara', '3']);
  });
});

test('an account is chosen by its id', () => {
  const app = prop('app', { app: 'github' });
  const value = { authProvisionId: 'apn_1' };
  expect([draftOf(app, value), parseDraft(app, 'apn_1')]).toEqual(['apn_1', { value }]);
});

test('the form does not ask for props that the service provides, nor for hidden or static ones', () => {
  const unasked = ['$.interface.http', '$.interface.apphook', '$.service.db', 'alert', 'dir'].map((type) => prop(type));
  expect([...unasked, prop('string', { hidden: true }), prop('integer', { static: 1 })].filter(isAskable)).toEqual([]);
});
