import fc from 'fast-check';
import type { Json, JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { filterBytesMax, filterDepthMax, filterTestsMax } from './filter.ts';
import { filtersKeptMax, dropsNeeded, newestVersion, withFilter } from './filter-history.ts';
import type { FilterVersion } from './filter-history.ts';
import { mismatch } from './match.ts';
import { readFilter } from './read-filter.ts';
import { processorMs } from '../../../primitives/processor-ms.fake.ts';

/** The place where the event does not match the filter; undefined if it matches. */
function fault(filter: unknown, event: Json): string | undefined {
  const read = readFilter(filter);
  if ('fault' in read) throw new Error(`${read.fault.at} ${read.fault.message}`);
  return mismatch(read.filter, event);
}

const refused = (filter: unknown): string => {
  const read = readFilter(filter);
  return 'fault' in read ? `${read.fault.at} ${read.fault.message}` : 'it is one';
};

test.each<[string, JsonObject, Json[], Json[]]>([
  ['a value', { a: ['x', 1, null] }, [{ a: 'x' }, { a: 1 }, { a: null }], [{ a: 'X' }, { a: '1' }, {}, { b: 'x' }]],
  [
    'a value of a list',
    { a: ['x'] },
    [{ a: ['y', 'x'] }, { a: [['x']] }],
    [{ a: ['y'] }, { a: [] }, { a: { x: 'x' } }],
  ],
  ['fields within', { a: { b: [1] } }, [{ a: { b: 1, c: 2 } }], [{ a: 1 }, { a: null }, { b: 1 }]],
  [
    'one object of a list',
    { a: { b: [1], c: [2] } },
    [{ a: [{ b: 3 }, { b: 1, c: 2 }] }],
    [{ a: [{ b: 1 }, { c: 2 }] }],
  ],
  ['prefix', { a: [{ prefix: 'ab' }] }, [{ a: 'abc' }], [{ a: 'xab' }, { a: 5 }]],
  ['suffix', { a: [{ suffix: '.png' }] }, [{ a: 'x.png' }], [{ a: '.png.' }]],
  ['equals-ignore-case', { a: [{ 'equals-ignore-case': 'Ab' }] }, [{ a: 'aB' }], [{ a: 'abc' }]],
  [
    'equals-ignore-case, of a text that grows',
    { a: [{ 'equals-ignore-case': 'İ' }] },
    [{ a: 'İ' }, { a: 'i̇' }],
    [{ a: 'i' }],
  ],
  ['numeric', { a: [{ numeric: ['>', 0, '<=', 5] }] }, [{ a: 5 }, { a: 0.1 }], [{ a: 0 }, { a: 6 }, { a: '3' }]],
  ['numeric, equal', { a: [{ numeric: ['=', 3] }] }, [{ a: 3 }], [{ a: 4 }]],
  ['exists', { a: [{ exists: true }] }, [{ a: null }, { a: {} }, { a: [] }], [{}, { b: 1 }, 'a']],
  ['does not exist', { a: { b: [{ exists: false }] } }, [{}, { a: 1 }, { a: { c: 1 } }], [{ a: { b: null } }]],
  ['anything-but', { a: [{ 'anything-but': ['x', 1] }] }, [{ a: 'y' }, { a: null }], [{ a: 'x' }, { a: 1 }, {}]],
  ['anything-but a value', { a: [{ 'anything-but': 'x' }] }, [{ a: 'y' }], [{ a: 'x' }]],
  ['anything-but prefix', { a: [{ 'anything-but': { prefix: 'x' } }] }, [{ a: 'y' }, { a: 5 }], [{ a: 'xy' }]],
  ['several tests', { a: [{ prefix: 'x' }, 'y', { exists: false }] }, [{ a: 'y' }, { a: 'xx' }, {}], [{ a: 'z' }]],
  ['$or', { $or: [{ a: [1] }, { b: { c: [2] } }] }, [{ a: 1 }, { b: { c: 2 } }], [{ a: 2 }, { c: 2 }]],
  ['$or beside fields', { a: [1], $or: [{ b: [1] }, { c: [1] }] }, [{ a: 1, c: 1 }], [{ a: 1 }, { b: 1, c: 1 }]],
  ['names from prototypes', { constructor: [{ exists: true }] }, [{ constructor: 1 }], [{}]],
])('%s', (_name, filter, wanted, unwanted) => {
  expect(wanted.map((event) => fault(filter, event))).toEqual(wanted.map(() => undefined));
  expect(unwanted.map((event) => typeof fault(filter, event))).toEqual(unwanted.map(() => 'string'));
});

test('a mismatch names the field by a JSON pointer', () => {
  expect(fault({ a: { 'b/c~': [1] }, d: [2] }, { a: { 'b/c~': 2 } })).toBe('/a/b~1c~0');
  expect(fault({ a: { $or: [{ b: [1] }] } }, { a: { b: 2 } })).toBe('/a/$or');
});

test.each([
  [null, ' must be an object'],
  [[], ' must be an object'],
  [{}, ' must name at least one field'],
  [{ a: 'x' }, '/a must be a list of allowed values that is not empty, or an object with fields'],
  [{ a: [] }, '/a must be a list of allowed values'],
  [{ a: { b: {} } }, '/a/b must name at least one field'],
  [{ a: [1, { like: 'x' }] }, '/a/1 must be a text, a number, true, false, null, or an object with one of prefix,'],
  [{ a: [{ prefix: 'x', suffix: 'y' }] }, '/a/0 must be a text'],
  [{ a: [['x']] }, '/a/0 must be a text'],
  [{ a: [{ prefix: '' }] }, '/a/0/prefix must be a text of at least one character'],
  [{ a: [{ suffix: 1 }] }, '/a/0/suffix must be a text of at least one character'],
  [{ a: [{ exists: 'yes' }] }, '/a/0/exists must be true or false'],
  [{ a: [{ numeric: ['>', '0'] }] }, '/a/0/numeric must be one or two comparisons'],
  [{ a: [{ numeric: ['~', 0] }] }, '/a/0/numeric must be one or two comparisons'],
  [{ a: [{ 'anything-but': [] }] }, '/a/0/anything-but must be a value, a list of values'],
  [{ a: [{ 'anything-but': { numeric: ['=', 1] } }] }, '/a/0/anything-but must be a value, a list of values'],
  [{ a: [{ 'anything-but': { prefix: 1 } }] }, '/a/0/anything-but/prefix must be a text'],
  [{ a: [{ 'anything-but': { suffix: '' } }] }, '/a/0/anything-but/suffix must be a text'],
  [
    { $or: [{ a: [1] }, { b: ['x', { 'anything-but': { 'equals-ignore-case': null } }] }] },
    '/$or/1/b/1/anything-but/equals-ignore-case must be a text',
  ],
  [{ $or: { a: [1] } }, '/$or must be a list of filters'],
  [{ $or: [{ a: [1] }, {}] }, '/$or/1 must name at least one field'],
  [{ a: [{ toString: 1 }] }, '/a/0 must be a text'],
])('the filter %j is refused with the place of the mistake', (filter, why) => {
  expect(refused(filter)).toMatch(new RegExp(`^${why.replace(/[$]/g, '\\$&')}`));
});

test('the size, the number of values and the depth of a filter are bounded', () => {
  const values = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
  expect(refused({ a: values(filterTestsMax) })).toBe('it is one');
  expect(refused({ a: values(filterTestsMax), b: [1] })).toMatch(`/b/0 is one value more than the ${filterTestsMax}`);
  expect(refused({ a: [{ 'anything-but': values(filterTestsMax + 1) }] })).toMatch('one value more');
  expect(refused({ a: ['x'.repeat(filterBytesMax)] })).toMatch('at most 16 KiB');
  const deep = (levels: number): Json => (levels === 0 ? [1] : { a: deep(levels - 1) });
  expect(refused(deep(filterDepthMax))).toBe('it is one');
  for (const levels of [filterDepthMax + 1, 5_000]) expect(refused(deep(levels))).toMatch('at most 16 levels');
});

const scalars = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const names = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__');
const events = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  object: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ depthSize: 'small' }, scalars, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
})).object;

/** A filter for exactly the values in an event's objects; undefined if there are none. */
function exactly(event: JsonObject): JsonObject | undefined {
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(event)) {
    const isHeld = typeof value === 'object' && value !== null;
    const inner = !isHeld ? [value] : Array.isArray(value) ? undefined : exactly(value as JsonObject);
    if (inner !== undefined) Object.defineProperty(fields, name, { value: inner, enumerable: true });
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

test('an event matches a filter of its own values, and a condition never agrees with its opposite', () => {
  fc.assert(
    fc.property(events, events, (event, other) => {
      const filter = exactly(event);
      fc.pre(filter !== undefined);
      expect(fault(filter, event)).toBeUndefined();
      const opposite = Object.entries(filter).find(([, wanted]) => Array.isArray(wanted));
      if (opposite === undefined) return;
      const [name, wanted] = opposite as unknown as [string, [Json]];
      const not = { [name]: [{ 'anything-but': wanted[0] }, { exists: false }] };
      if (!Array.isArray(other[name]) && typeof other[name] !== 'object')
        expect((fault({ [name]: wanted }, other) === undefined) === (fault(not, other) === undefined)).toBe(false);
    }),
  );
});

test('any JSON is a filter or refused with the place of the mistake, and no filter throws on any event', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, event) => {
      const read = readFilter(value);
      if ('filter' in read) expect(['string', 'undefined']).toContain(typeof mismatch(read.filter, event as Json));
      else expect(read.fault.at).toMatch(/^(\/|$)/);
    }),
  );
});

test('an event with more values than can be tried matches, within a moment', () => {
  const many = Array.from({ length: 100_000 }, (_, n) => n);
  const tests = Array.from({ length: filterTestsMax }, () => ({ numeric: ['<', 0] }));
  const tried = processorMs(() => {
    expect(fault({ a: tests }, { a: many })).toBeUndefined();
    expect(fault({ a: { b: tests } }, { a: many.map((b) => ({ b })) })).toBeUndefined();
  });
  expect(tried).toBeLessThan(1_000);
  expect(fault({ a: [-1] }, { a: many.slice(0, 40_000) })).toBe('/a');
});

test('fields that are absent from every object of a long list are looked for within a moment', () => {
  const absent = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}`, [{ exists: false }]]));
  const event = { list: Array.from({ length: 120_000 }, () => ({})) };
  const triedMs = (): number => processorMs(() => fault({ list: { ...absent, last: ['x'] } }, event));
  expect(Math.min(triedMs(), triedMs(), triedMs())).toBeLessThan(500);
});

test('a long text is compared with many texts, ignoring case, within a moment', () => {
  const tests = Array.from({ length: 255 }, (_, n) => ({ 'equals-ignore-case': `Ü${n}` }));
  const event = { a: 'Ä'.repeat(250_000) };
  expect(fault({ a: tests }, event)).toBe('/a');
  expect(processorMs(() => fault({ a: tests }, event))).toBeLessThan(100);
});

const filterAt = (offset: number, kind: string): FilterVersion => ({ channelEnds: [offset], filter: { kind: [kind] } });

test('each filter applies from its position on', () => {
  const since = withFilter([], filterAt(7, 'a'));
  expect(since).toEqual([{ channelEnds: [], filter: null }, filterAt(7, 'a')]);
  expect(withFilter(since, filterAt(9, 'a'))).toBe(since);
});

test('hundreds of changes are kept, and the oldest kept one applies to everything before', () => {
  const kinds = Array.from({ length: 300 }, (_, n) => `k${n}`);
  const since = kinds.reduce<readonly FilterVersion[]>((all, kind, n) => withFilter(all, filterAt(n, kind)), []);
  const oldest = 300 - filtersKeptMax;
  expect(since).toHaveLength(filtersKeptMax);
  expect(since.slice(0, 2)).toEqual([
    { ...filterAt(oldest, `k${oldest}`), channelEnds: [] },
    filterAt(oldest + 1, `k${oldest + 1}`),
  ]);
});

test('the last change is kept whatever it takes as JSON, and earlier ones as long as all fit', () => {
  const change = (n: number) => ({ transform: `${n}${'\u0001'.repeat(sizes.transformBytes - 1)}` });
  const since = [1, 2, 3].reduce<readonly FilterVersion[]>((all, n) => withFilter(all, change(n)), []);
  expect(since.map(({ version }) => version)).toEqual([3]);
});

test('of the largest changes four are kept', () => {
  const largest = (n: number): Parameters<typeof withFilter>[1] => ({
    channelEnds: [n],
    filter: { a: [`${n}`, 'x'.repeat(filterBytesMax - 14)] },
    transform: `${n}`.padEnd(sizes.transformBytes),
  });
  const since = [1, 2, 3, 4, 5, 6].reduce<readonly FilterVersion[]>((all, n) => withFilter(all, largest(n)), []);
  expect(since.map(({ channelEnds }) => channelEnds)).toEqual([[], [4], [5], [6]]);
});

test('changes are numbered, one that changes nothing gets no number, and a number is not given twice', () => {
  const change = (all: readonly FilterVersion[], kind: string): readonly FilterVersion[] =>
    withFilter(all, { filter: { kind: [kind] } });
  const since = ['a', 'b', 'b', 'c', 'd', 'e'].reduce<readonly FilterVersion[]>(change, []);
  expect(since.map(({ version }) => version)).toEqual([undefined, 1, 2, 3, 4, 5]);
  expect(newestVersion(since)).toBe(5);
  expect(newestVersion(withFilter([], { filter: null }))).toBe(0);
});

test('a filter of an earlier program makes room once the next one holds for all that events need, in each partition', () => {
  const kinds = Array.from({ length: filtersKeptMax }, (_, n) => `k${n}`);
  const of = (n: number, kind: string): Parameters<typeof withFilter>[1] => ({
    channelEnds: [n * 10, n * 100],
    filter: { kind: [kind] },
  });
  let all = kinds.reduce<readonly FilterVersion[]>((before, kind, n) => withFilter(before, of(n, kind)), []);
  const lacks = (more: object): boolean => {
    const change = { filter: { kind: ['new'] } };
    return dropsNeeded(all, change, { kept: withFilter(all, change), ...more });
  };
  const at = (first: number, second: number) => ({
    neededFrom: 0,
    neededAt: [
      { partition: 0, offset: first },
      { partition: 1, offset: second },
    ],
  });
  expect([lacks({}), lacks({ neededFrom: 0 }), lacks({ neededFrom: 0, neededAt: [] })]).toEqual([true, true, true]);
  expect([lacks(at(9, 100)), lacks(at(10, 99)), lacks(at(0, 0))]).toEqual([true, true, true]);
  expect([lacks(at(10, 100)), lacks({ neededFrom: 1 })]).toEqual([false, false]);
  for (let n = 0; n < filtersKeptMax - 1; n++) {
    expect(lacks(at(1e6, 1e6))).toBe(false);
    all = withFilter(all, { filter: { n: [n] } });
  }
  // The last filter without a version applies to the events before the first record of a change.
  expect([lacks(at(1e6, 1e6)), lacks({ ...at(1e6, 1e6), neededFrom: 1 })]).toEqual([true, false]);
});

test('changing the filter keeps the transform, and changing the transform keeps the filter', () => {
  const first = withFilter([], { channelEnds: [3], transform: '() => null' });
  expect(first.at(-1)).toEqual({ channelEnds: [3], filter: null, transform: '() => null' });
  const second = withFilter(first, { channelEnds: [5], filter: { a: [1] } });
  expect(second.at(-1)).toEqual({ channelEnds: [5], filter: { a: [1] }, transform: '() => null' });
  expect(withFilter(second, { channelEnds: [7], transform: '() => null' })).toBe(second);
  expect(withFilter(second, { channelEnds: [7], transform: null }).at(-1)).toEqual({
    channelEnds: [7],
    filter: { a: [1] },
  });
});
