import fc from 'fast-check';
import type { Json, JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import type { Manifest, PropDefinition } from '../manifest.ts';
import { propTypeNames } from './prop-types.ts';
import { defaultValueOf, validateDraft, validateProps } from './validate.ts';
import { processorMs } from '../../../primitives/processor-ms.fake.ts';

const manifest = (...props: readonly PropDefinition[]): Manifest => ({
  name: 'Test',
  version: '0.0.1',
  type: 'source',
  props,
  hooks: [],
  methods: [],
  additionalProps: false,
});
const validValue = (definition: Omit<PropDefinition, 'name'>, value?: Json): Json | undefined => {
  const configured: JsonObject = value === undefined ? {} : { p: value };
  const result = validateProps(manifest({ name: 'p', ...definition }), configured);
  if ('problems' in result) throw new Error(result.problems.map(({ message }) => message).join(' '));
  return result.values['p'];
};
const problem = (definition: Omit<PropDefinition, 'name'>, value?: Json): string => {
  const result = validateProps(manifest({ name: 'p', ...definition }), value === undefined ? {} : { p: value });
  if (!('problems' in result)) throw new Error(`accepted as ${JSON.stringify(result.values)}`);
  expect(result.problems.map(({ prop }) => prop)).toEqual(['p']);
  return result.problems[0]?.message ?? '';
};

test.each<[string, Json]>([
  ['string', 'text'],
  ['string', ''],
  ['integer', 3],
  ['boolean', false],
  ['object', { a: [1] }],
  ['any', [null, 'x']],
  ['string[]', ['a', 'b']],
  ['string[]', []],
  ['integer[]', [1, 2]],
  ['boolean[]', [true]],
  ['object[]', [{}]],
])('a prop of type %s keeps %j', (type, value) => {
  expect(validValue({ type }, value)).toEqual(value);
});

test.each<[string, Json, string]>([
  ['string', 5, 'Prop "p" must be a string, not an integer.'],
  ['string', { a: 1 }, 'Prop "p" must be a string, not an object.'],
  ['integer', '5', 'Prop "p" must be an integer, not a string.'],
  ['integer', 1.5, 'Prop "p" must be an integer, not a number.'],
  ['integer', 2 ** 53, 'Prop "p" must be an integer between -(2^53 - 1) and 2^53 - 1.'],
  ['boolean', 'true', 'Prop "p" must be true or false, not a string.'],
  ['object', [], 'Prop "p" must be an object, not an array.'],
  ['string[]', 'a', 'Prop "p" must be an array, not a string.'],
  ['string[]', ['a', 1], 'Prop "p" at index 1 must be a string, not an integer.'],
  ['string[]', [null], 'Prop "p" at index 0 must be a string, not null.'],
])('a prop of type %s refuses %j and says what it found', (type, value, message) => {
  expect(problem({ type }, value)).toBe(message);
});

test('a value that is refused is not repeated, since it may be a secret', () => {
  expect(problem({ type: 'integer', secret: true }, 'hush-hush')).not.toContain('hush');
  expect(problem({ type: 'string', secret: true, options: ['a'] }, 'hush-hush')).not.toContain('hush');
});

test('an integer stays within min and max', () => {
  expect(validValue({ type: 'integer', min: 1, max: 3 }, 3)).toBe(3);
  expect(problem({ type: 'integer', min: 1, max: 3 }, 0)).toContain('must be 1 or more, not 0');
  expect(problem({ type: 'integer[]', min: 1, max: 3 }, [2, 4])).toContain('at index 1 must be 3 or less, not 4');
});

test('a required prop without a value is missing, null counting as none', () => {
  expect(problem({ type: 'string' })).toBe('Prop "p" is required (string).');
  expect(problem({ type: 'string' }, null)).toBe('Prop "p" is required (string).');
  expect(validValue({ type: 'string', optional: true })).toBeUndefined();
});

test('a default applies when no value is given, on optional and required props, and never over one', () => {
  expect(validValue({ type: 'string', default: 'd' })).toBe('d');
  expect(validValue({ type: 'boolean', optional: true, default: true })).toBe(true);
  expect(validValue({ type: 'boolean', default: true }, false)).toBe(false);
});

test.each<[string, Omit<PropDefinition, 'name'>, string]>([
  ['another type', { type: 'integer', default: 'x' }, 'which must be an integer, not a string'],
  ['another type', { type: 'string', optional: true, default: 5 }, 'which must be a string, not an integer'],
  ['no list', { type: 'string[]', default: 'x' }, 'which must be an array, not a string'],
  ['a list with another type', { type: 'integer[]', default: [1, 'x'] }, 'which at index 1 must be an integer'],
  ['too large a number', { type: 'integer', max: 3, default: 9 }, 'which must be 3 or less, not 9'],
  ['too small a number', { type: 'integer', min: 3, default: 1 }, 'which must be 3 or more, not 1'],
])(
  'a default of %s is refused where it would apply, and does not matter where a value is given',
  (_what, prop, why) => {
    expect(problem(prop)).toContain(`Prop "p" has a wrong default, ${why}`);
    const values: Record<string, Json> = { integer: 3, 'integer[]': [3], string: 'a', 'string[]': ['a'] };
    expect(validValue(prop, values[prop.type])).toEqual(values[prop.type]);
  },
);

test('a default may be none of the options, have its label, and be a number where options are remote', () => {
  expect(validValue({ type: 'string', options: ['x'], default: 'y' })).toBe('y');
  expect(validValue({ type: 'integer', default: { label: 'Five', value: 5 } })).toBe(5);
  expect(validValue({ type: 'string', remoteOptions: true, default: 7 })).toBe(7);
});

test('a default that is none of the options may be given, as answers show it', () => {
  expect(validValue({ type: 'string', options: ['x'], default: 'y' }, 'y')).toBe('y');
  expect(validValue({ type: 'string[]', options: ['x'], default: ['y', 'z'] }, ['y', 'z'])).toEqual(['y', 'z']);
  expect(problem({ type: 'string', options: ['x'], default: 'y' }, 'z')).toContain('must be one of its options');
});

test('a secret cannot be the text that is shown in its place', () => {
  expect(problem({ type: 'string', secret: true }, '[secret]')).toContain('must not be "[secret]"');
  expect(validValue({ type: 'string' }, '[secret]')).toBe('[secret]');
});

test('what a prop has without a value is known also where its default is wrong', () => {
  expect(defaultValueOf({ name: 'p', type: 'integer', default: 5 })).toBe(5);
  expect(defaultValueOf({ name: 'p', type: 'integer', default: 'x' })).toBe('x');
  expect(defaultValueOf({ name: 'p', type: 'string' })).toBeUndefined();
  expect(defaultValueOf({ name: 'p', type: '$.interface.timer', default: { intervalSeconds: 5 } })).toEqual({
    intervalSeconds: 5,
  });
});

test('a value must be one of the options where they are a list', () => {
  const options = ['a', { label: 'B', value: 'b' }];
  expect(validValue({ type: 'string', options }, 'b')).toBe('b');
  expect(validValue({ type: 'string[]', options }, ['a', 'b'])).toEqual(['a', 'b']);
  expect(problem({ type: 'string', options }, 'c')).toBe('Prop "p" must be one of its options: "a", "b".');
  expect(problem({ type: 'string[]', options }, ['a', 'c'])).toContain('must be one of its options');
  expect(validValue({ type: 'string', options: [], remoteOptions: true }, 'c')).toBe('c');
});

test('a chosen value may come with its label, which is dropped unless the component asks for it', () => {
  const options = [{ label: 'One', value: 1 }];
  for (const value of [1, { label: 'One', value: 1 }, { __lv: { label: 'One', value: 1 } }]) {
    expect(validValue({ type: 'integer', options }, value)).toBe(1);
    expect(validValue({ type: 'integer', options, withLabel: true }, value)).toEqual({ label: 'One', value: 1 });
  }
  const many = { __lv: [{ label: 'x', value: 'X' }] };
  expect(validValue({ type: 'string[]' }, many)).toEqual(['X']);
  expect(validValue({ type: 'string[]', withLabel: true }, many)).toEqual([{ label: 'x', value: 'X' }]);
  expect(validValue({ type: 'object' }, { label: 'mine', value: 1 })).toEqual({ label: 'mine', value: 1 });
});

test('unknown props are refused by name, with the names that exist', () => {
  const result = validateProps(manifest({ name: 'token', type: 'string' }), { token: 't', tokne: 't', $sealed: 'x' });
  expect(result).toEqual({
    problems: [
      { prop: 'tokne', message: 'Prop "tokne" is not a prop of this component: its props are token.' },
      { prop: '$sealed', message: 'Prop "$sealed" is not a prop of this component: its props are token.' },
    ],
  });
});

test('null for a prop that is not there is the same as no value', () => {
  const props = manifest({ name: 'token', type: 'string' });
  expect(validateProps(props, { token: 't', former: null })).toEqual({ values: { token: 't' } });
  expect(validateDraft(props, { token: 't', former: null })).toEqual({ values: { token: 't' } });
});

test('every problem is reported, not only the first', () => {
  const result = validateProps(manifest({ name: 'a', type: 'string' }, { name: 'b', type: 'integer' }), { b: 'x' });
  expect(result).toMatchObject({ problems: [{ prop: 'a' }, { prop: 'b' }] });
});

test('a value is at most 64 KiB as JSON, defaults included', () => {
  const fits = 'x'.repeat(sizes.propValueBytes - 2);
  expect(validValue({ type: 'string' }, fits)).toBe(fits);
  expect(problem({ type: 'string' }, `${fits}x`)).toContain('is too large: 65537 bytes');
  expect(problem({ type: 'string', default: `${fits}x` })).toContain('is too large');
});

test('a value and a default of any depth are refused rather than walked', () => {
  const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as Json;
  for (const type of ['any', 'object', 'string', 'string[]', 'any[]']) {
    expect(problem({ type }, deep)).toContain('nested deeper than 256 levels');
    expect(problem({ type, default: deep })).toContain('nested deeper than 256 levels');
  }
});

test('thousands of values are compared with thousands of options in no more than a moment', () => {
  const values = Array.from({ length: 8_000 }, (_, at) => `v${at}`);
  const options = values.map((value) => ({ label: value.toUpperCase(), value }));
  const compared = processorMs(() => {
    const labelled = validValue({ type: 'string[]', options, withLabel: true }, values.slice(0, 1_500));
    expect(labelled).toEqual(options.slice(0, 1_500));
    expect(problem({ type: 'string[]', options }, [...values.toReversed(), 'other'])).toContain('and 7980 more');
    const unknown = Object.fromEntries(values.map((value) => [value, 1]));
    const props = values.map((name) => ({ name: `p-${name}`, type: 'string', optional: true }));
    expect(validateProps(manifest(...props), unknown)).toHaveProperty('problems.length', values.length);
  });
  expect(compared).toBeLessThan(1_000);
});

test('no value can pass for a sealed value', () => {
  const sealed = { $sealed: 'AAAA' };
  expect(problem({ type: 'object' }, sealed)).toContain('$sealed');
  expect(problem({ type: 'any' }, [{ deep: sealed }])).toContain('$sealed');
  expect(problem({ type: 'any', default: sealed })).toContain('$sealed');
});

test('an http interface, a db, an alert and a dir keep no value', () => {
  expect(validValue({ type: '$.interface.http' })).toBeUndefined();
  expect(validValue({ type: '$.interface.http' }, { endpoint_url: 'https://example.com' })).toBeUndefined();
  expect(problem({ type: '$.interface.http' }, 'https://example.com')).toContain('must be left out');
  expect(validValue({ type: '$.service.db' }, {})).toBeUndefined();
  expect(problem({ type: '$.service.db' }, { a: 1 })).toContain('must be left out');
  expect(validValue({ type: 'alert' })).toBeUndefined();
  expect(validValue({ type: 'dir', optional: true })).toBeUndefined();
  expect(problem({ type: 'dir', optional: true }, { path: '/' })).toContain('there is no file store');
});

test('an app prop accepts an account id, bare or as hosted clients send it, and nothing else', () => {
  const accountId = 'apn_8kQ2vYx0LmB4nTzR';
  const value = { authProvisionId: accountId };
  expect(validValue({ type: 'app', app: 'slack' }, value)).toEqual(value);
  expect(validValue({ type: 'app', app: 'slack' }, { ...value, more: 1 })).toEqual(value);
  expect(validValue({ type: 'app', app: 'slack' }, accountId)).toEqual(value);
  expect(validValue({ type: 'app', app: 'slack' })).toBeUndefined();
  const must = 'must be {"authProvisionId": "apn_..."}, with the id of an account';
  expect(problem({ type: 'app', app: 'slack' }, { authProvisionId: 'apn_1' })).toContain(must);
  expect(problem({ type: 'app', app: 'slack' }, 'gho_secret')).toBe(`Prop "p" ${must}, not a string.`);
});

test('an unknown prop type is a problem', () => {
  expect(problem({ type: 'sql' }, {})).toContain('has the type sql, which is not supported');
});

test('any value for any type is kept or refused, and a kept value validates to itself', () => {
  const definitions = fc.record({
    type: fc.constantFrom(...propTypeNames),
    optional: fc.boolean(),
    withLabel: fc.boolean(),
  });
  fc.assert(
    fc.property(definitions, fc.jsonValue(), (definition, value) => {
      const all = manifest({ name: 'p', ...definition });
      const first = validateProps(all, { p: value as Json });
      if (!('values' in first)) return;
      expect(validateProps(all, first.values)).toEqual(first);
    }),
  );
});

describe('while a form is being filled in', () => {
  const token: PropDefinition = { name: 'token', type: 'string' };
  const limit: PropDefinition = { name: 'limit', type: 'integer', default: 5, max: 9 };
  const draft = (configured: JsonObject, additionalProps = false) =>
    validateDraft({ ...manifest(token, limit), additionalProps }, configured);

  test('required props may be missing, defaults apply, and given values must be valid', () => {
    expect(draft({})).toEqual({ values: { limit: 5 } });
    expect(draft({ token: 't', limit: null })).toEqual({ values: { token: 't', limit: 5 } });
    expect(draft({ limit: 10 })).toMatchObject({ problems: [{ prop: 'limit' }] });
  });

  test('a wrong default is left out', () => {
    const wrong = { ...limit, default: 'x' };
    expect(validateDraft(manifest(token, wrong), { token: 't' })).toEqual({ values: { token: 't' } });
    expect(validateDraft(manifest(token, wrong), { limit: 3 })).toEqual({ values: { limit: 3 } });
  });

  test('values of unknown props are accepted only if additionalProps may add them', () => {
    expect(draft({ more: 1 })).toMatchObject({ problems: [{ prop: 'more' }] });
    const more = { more: { __lv: { label: 'One', value: 1 } }, none: null };
    expect(draft(more, true)).toEqual({ values: { limit: 5, more: 1 } });
  });
});

test('unknown props are not reported beside other problems when additionalProps might have added them', () => {
  const adding = { ...manifest({ name: 'p', type: 'string' }), additionalProps: true };
  expect(validateProps(adding, { more: 1 })).toMatchObject({ problems: [{ prop: 'p' }] });
  expect(validateProps(adding, { p: 'x', more: 1 })).toMatchObject({ problems: [{ prop: 'more' }] });
});

test.each(['hidden', 'disabled'])('a prop that is %s needs no value', (flag) => {
  expect(validValue({ type: 'string', [flag]: true })).toBeUndefined();
  expect(validValue({ type: 'string', [flag]: true }, 'given')).toBe('given');
});

test('a string prop with remote options accepts a number', () => {
  expect(validValue({ type: 'string', remoteOptions: true }, 7)).toBe(7);
  expect(validValue({ type: 'string[]', remoteOptions: true }, ['a', 7])).toEqual(['a', 7]);
});
