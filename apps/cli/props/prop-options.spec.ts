import { typedProps, typedValue } from './prop-options.ts';

test.each([
  ['acme/site', 'string', 'acme/site'],
  ['5', 'string', '5'],
  ['5', 'integer', 5],
  ['five', 'integer', 'five'],
  ['', 'integer', ''],
  ['true', 'boolean', true],
  ['yes', 'boolean', 'yes'],
  ['bug, docs', 'string[]', ['bug', 'docs']],
  ['["a,b"]', 'string[]', ['a,b']],
  ['1,2', 'integer[]', [1, 2]],
  ['{"a":1}', 'object', { a: 1 }],
  ['3', 'any', 3],
  ['plain', 'any', 'plain'],
  ['60', '$.interface.timer', { intervalSeconds: 60 }],
  ['0 9 * * 1', '$.interface.timer', { cron: '0 9 * * 1' }],
  ['{"cron":"@daily"}', '$.interface.timer', { cron: '@daily' }],
])('the text %j for a prop of type %s is %j', (text, type, value) => {
  expect(typedValue(text, type)).toEqual(value);
});

test('a prop given by option overrides the props file, whose other values keep their types', () => {
  const propInput = { values: { minimum: '1', other: '2' }, texts: new Map([['minimum', '5']]) };
  expect(typedProps(propInput, [{ name: 'minimum', type: 'integer' }])).toEqual({ minimum: 5, other: '2' });
});
