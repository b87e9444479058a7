import type { Json } from '../json.ts';
import type { Manifest, PropDefinition } from '../component/manifest.ts';
import { manifestProblems } from '../component/manifest-problems.ts';
import { validateProps } from '../component/props/validate.ts';

const manifestOf = (...props: readonly Partial<PropDefinition>[]): Manifest => ({
  name: 'Ticker',
  version: '1',
  type: 'source',
  props: props.map((prop, index) => ({ name: `timer${index || ''}`, type: '$.interface.timer', ...prop })),
  hooks: [],
  methods: [],
  additionalProps: false,
});

const validated = (prop: Partial<PropDefinition>, given?: Json): unknown => {
  const result = validateProps(manifestOf(prop), given === undefined ? {} : { timer: given });
  return 'values' in result ? result.values['timer'] : result.problems.map(({ message }) => message);
};

test.each<[string, Json, Json]>([
  ['an interval', { intervalSeconds: 60 }, { intervalSeconds: 60 }],
  ['what the API shows of an interval', { cron: null, interval_seconds: 900 }, { intervalSeconds: 900 }],
  ['a cron expression', { cron: '0 9 * * *' }, { cron: '0 9 * * *', timezone: 'UTC' }],
  [
    'one with seconds and a timezone',
    { cron: ' */5 0 9 * * mon-fri ', timezone: 'Asia/Tokyo' },
    { cron: '*/5 0 9 * * mon-fri', timezone: 'Asia/Tokyo' },
  ],
  ['a day of any kind', { cron: '0 0 12 ? * MON' }, { cron: '0 0 12 ? * MON', timezone: 'UTC' }],
])('a timer accepts %s', (_, input, expected) => {
  expect(validated({}, input)).toEqual(expected);
});

test.each<[string, Json, RegExp]>([
  ['text', '60', /must be \{ "intervalSeconds"/],
  ['nothing to go by', {}, /one of the two/],
  ['both', { intervalSeconds: 60, cron: '* * * * *' }, /one of the two/],
  ['less than a second', { intervalSeconds: 0.5 }, /whole intervalSeconds from 1/],
  ['zero', { intervalSeconds: 0 }, /whole intervalSeconds/],
  ['an interval of ages', { intervalSeconds: 1e15 }, /whole intervalSeconds/],
  ['seconds as text', { intervalSeconds: '60' }, /whole intervalSeconds/],
  ['four fields', { cron: '* * * *' }, /five fields, or six/],
  ['seven fields', { cron: '* * * * * * 2030' }, /five fields, or six/],
  ['a nickname', { cron: '@daily' }, /five fields, or six/],
  ['an expression without end', { cron: `${'1,'.repeat(200)}1 * * * *` }, /at most 256 characters/],
  ['a minute that there is not', { cron: '61 * * * *' }, /cannot be read.*61/],
  ['a day that there is not', { cron: '0 0 30 2 *' }, /never due/],
  ['a cron that is no text', { cron: 5 }, /text/],
  ['an unknown timezone', { cron: '* * * * *', timezone: 'Mars/Base' }, /timezone that is not known/],
])('a timer refuses %s, and names its prop', (_, input, problem) => {
  expect(validated({}, input)).toEqual([expect.stringMatching(problem)]);
  expect(validated({}, input)).toEqual([expect.stringMatching(/^Prop "timer" /)]);
});

test('the default applies when nothing is configured; without one the timer is required unless optional', () => {
  expect(validated({ default: { intervalSeconds: 900 } })).toEqual({ intervalSeconds: 900 });
  expect(validated({ default: { intervalSeconds: 900 } }, { intervalSeconds: 5 })).toEqual({ intervalSeconds: 5 });
  expect(validated({ default: { cron: 'nonsense' } })).toEqual([expect.stringContaining('five fields')]);
  expect(validated({ optional: true })).toBeUndefined();
  expect(validated({})).toEqual([expect.stringContaining('is required')]);
});

test('a static schedule cannot be changed, but may be sent back unchanged', () => {
  const fixed = { static: { intervalSeconds: 3600 } };
  expect(validated(fixed)).toEqual({ intervalSeconds: 3600 });
  expect(validated(fixed, { cron: null, interval_seconds: 3600 })).toEqual({ intervalSeconds: 3600 });
  expect(validated(fixed, { intervalSeconds: 5 })).toEqual([expect.stringContaining('fixed by the component')]);
});

test('a second timer is refused', () => {
  expect(manifestProblems(manifestOf({}, {}))).toEqual(['Prop "timer1" is a second timer; a source has one at most.']);
  expect(manifestProblems(manifestOf({}))).toEqual([]);
});
