// The event names that an apphook can have, and the events that it takes.
import { manifestProblems } from '../../manifest-problems.ts';
import type { Manifest, PropDefinition } from '../../manifest.ts';
import { eventNamesMax, readEventNames, acceptsEvent } from './apphook.ts';

test('event names are texts, each at most once; an empty list means all', () => {
  expect(readEventNames(['message', 'C1', 'message'])).toEqual({ names: ['message', 'C1'] });
  expect([readEventNames(null), readEventNames([])]).toEqual([{ names: null }, { names: null }]);
});

test.each([
  ['a text', 'message', /list of texts/],
  ['a number among them', ['a', 5], /list of texts/],
  ['an empty name', ['a', ''], /list of texts/],
  ['a long name', ['x'.repeat(256)], /more than 255/],
  ['half a character', ['\ud800'], /no text/],
  ['too much', Array.from({ length: 300 }, (_, at) => `${at}${'x'.repeat(240)}`), /more than 65536 bytes/],
  ['too many', Array.from({ length: eventNamesMax + 1 }, (_, at) => `n${at}`), /has 501 names; at most 500/],
])('%s is refused', (_what, input, problem) => {
  expect(readEventNames(input)).toEqual({ problem: expect.stringMatching(problem) });
});

test('an event is accepted by any of its names, and always if it has no name', () => {
  const two = { eventNames: ['message', 'C1'] };
  expect([acceptsEvent(two, ['reaction', 'C1']), acceptsEvent(two, []), acceptsEvent(two, ['C2'])]).toEqual([
    true,
    true,
    false,
  ]);
  expect(acceptsEvent({ eventNames: null }, ['C2'])).toBe(true);
});

test('a second apphook and invalid eventNames are refused with the name of the prop', () => {
  const of = (...props: readonly PropDefinition[]): readonly string[] => {
    const rest = { name: 'n', version: '1', type: 'source', hooks: [], methods: [], additionalProps: false } as const;
    return manifestProblems({ ...rest, props } satisfies Manifest);
  };
  const apphook = { name: 'one', type: '$.interface.apphook', eventNames: ['a'] };
  expect(of(apphook)).toEqual([]);
  expect(of(apphook, { ...apphook, name: 'two' })).toEqual([
    'Prop "two" is a second apphook; a source has one at most.',
  ]);
  expect(of({ ...apphook, eventNames: [1] })).toEqual(['Prop "one" has eventNames, which must be a list of texts.']);
});
