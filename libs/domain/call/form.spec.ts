import type { Json } from '../json.ts';
import { optionsMax, readFormCallResult } from './form.ts';

test.each<[string, Json, Json]>([
  ['bare values', ['a', 1, true], ['a', 1, true]],
  ['labelled values', [{ label: 'One', value: 1 }], [{ label: 'One', value: 1 }]],
  ['wrapped values', [{ __lv: { label: 'One', value: 1 } }], [{ label: 'One', value: 1 }]],
  [
    'values without a label',
    [{ value: 1 }, { value: { a: 1 } }],
    [
      { label: '1', value: 1 },
      { label: '{"a":1}', value: { a: 1 } },
    ],
  ],
  ['labels that are no text', [{ label: 7, value: 1 }], [{ label: '7', value: 1 }]],
  ['objects', [{ id: 1 }], [{ id: 1 }]],
  ['what has no value', [null, { label: 'none' }, { label: 'null', value: null }], []],
])('options are read: %s', (_name, options, expected) => {
  expect(readFormCallResult('configure', { options, context: { c: 1 } })).toEqual({
    kind: 'configure',
    options: expected,
    context: { c: 1 },
  });
});

test.each<[string, Json | undefined]>([
  ['nothing', undefined],
  ['a text', 'x'],
  ['no list', { options: {} }],
])('an answer is an error when it is %s', (_name, event) => {
  expect(readFormCallResult('configure', event)).toMatchObject({
    message: expect.stringContaining('nothing that can be read') as string,
  });
});

test('the largest number of options is accepted, one more is an error', () => {
  const options = Array.from({ length: optionsMax }, () => 'x');
  expect(readFormCallResult('configure', { options })).toMatchObject({ kind: 'configure', context: null });
  expect(readFormCallResult('configure', { options: [...options, 'y'] })).toMatchObject({
    name: 'TooManyOptionsError',
  });
});

test.each<[string, Json, string]>([
  ['an unknown type', [{ name: 'p', type: 'sql' }], 'additionalProps: Prop "p" has the type "sql"'],
  [
    'a second endpoint',
    ['a', 'b'].map((name) => ({ name, type: '$.interface.http' })),
    'are both of type $.interface.http',
  ],
  ['no name', [{ type: 'string' }], 'A prop has no name'],
])('props with %s are an error', (_name, props, message) => {
  expect(readFormCallResult('props', { props })).toMatchObject({ message: expect.stringContaining(message) as string });
});

test('only known fields of a prop are taken, each with its type', () => {
  const props = [{ name: 'p', type: 'string', dynamic: true, label: 5, other: 'x', reloadProps: true }];
  expect(readFormCallResult('props', { props })).toEqual({
    kind: 'props',
    props: [{ name: 'p', type: 'string', dynamic: true, reloadProps: true }],
  });
});
