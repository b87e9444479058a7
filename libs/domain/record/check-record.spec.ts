import fc from 'fast-check';
import type { Json } from '../json.ts';
import { storedDepthMax } from '../shape/checks.ts';
import { recordOf, sampleRecords, samples } from './samples.fake.ts';
import { nestedArrays, unusableRecords } from './unusable-records.fake.ts';
import { knownVersion, checkRecord } from './check-record.ts';
import { processorMs } from '../../primitives/processor-ms.fake.ts';

const kindOf = (...[topic, record]: Parameters<typeof checkRecord>): string | undefined =>
  checkRecord(topic, record)?.kind;

const named = sampleRecords.map(([topic, record]) => [record.type, topic, record] as const);

test.each(named)('a well-formed %s on %s is accepted', (_, topic, record) => {
  expect(checkRecord(topic, JSON.parse(JSON.stringify(record)))).toBeUndefined();
});

test.each(named)('a %s on %s with any defect is malformed', (type, topic, { data }) => {
  const kinds = unusableRecords(topic, type, data as object).map(([how, record]) => [how, kindOf(topic, record)]);
  expect(kinds).toEqual(kinds.map(([how]) => [how, 'malformed']));
});

test.each(named)('a %s on %s with a newer version is reported as newer, whatever its data', (type, topic, { data }) => {
  const version = knownVersion + 1;
  for (const anything of [data, null, [], nestedArrays(20_000)]) {
    expect(checkRecord(topic, recordOf(type, anything, { version }))).toEqual({ kind: 'newer', version });
  }
  expect(kindOf(topic, recordOf('NotInventedYet', data, { version: knownVersion + 1 }))).toBe('newer');
});

test('anything that is not a record is malformed', () => {
  for (const one of [null, undefined, 5, 'x', [], {}]) expect(kindOf('commands', one)).toBe('malformed');
});

test('a tombstone has no data, and is accepted only on compacted topics', () => {
  expect(checkRecord('keys', recordOf('DataKeyAdded', null))).toBeUndefined();
  expect(checkRecord('state', recordOf('SourceStateSaved', null))).toBeUndefined();
  expect(kindOf('runs', recordOf('RunFinished', null))).toBe('malformed');
});

test('JSON is accepted up to the depth limit, and 20,000 levels do not overflow the stack', () => {
  const { EventEmitted } = samples.channels;
  const event = (levels: number) => recordOf('EventEmitted', { ...EventEmitted, event: nestedArrays(levels) });
  expect(kindOf('channels', event(storedDepthMax))).toBeUndefined();
  expect(kindOf('channels', event(storedDepthMax + 1))).toBe('malformed');
  expect(kindOf('channels', event(20_000))).toBe('malformed');
});

test('a problem names the field and never a value', () => {
  const data = { ...samples.triggers.TriggerRequested, http: { headers: { authorization: 5 } } };
  expect(checkRecord('triggers', recordOf('TriggerRequested', data))).toEqual({
    kind: 'malformed',
    problem: 'TriggerRequested has no valid http.method',
  });
  const props = { ...samples.components.SourceConfigured, props: { mySecretName: nestedArrays(1_000) } };
  expect(checkRecord('components', recordOf('SourceConfigured', props))).toEqual({
    kind: 'malformed',
    problem: 'SourceConfigured has no valid props.*',
  });
});

test('lone surrogates, infinite or negative numbers, and long or empty ids are malformed', () => {
  const { RunFinished } = samples.runs;
  const bad = [{ runId: '\ud800' }, { runId: 'x'.repeat(600) }, { runId: '' }, { startedAt: 1e300 }, { deduped: -1 }];
  for (const change of bad)
    expect(kindOf('runs', recordOf('RunFinished', { ...RunFinished, ...change }))).toBe('malformed');
  const endless = JSON.parse(
    JSON.stringify({ ...RunFinished, durationMs: 0 }).replace('"durationMs":0', '"durationMs":1e999'),
  );
  expect(kindOf('runs', recordOf('RunFinished', endless))).toBe('malformed');
});

/** Replaces or removes the value at a path of a record. */
function mutated(value: Json, path: readonly number[], other: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (typeof value !== 'object' || value === null || step === undefined) return other;
  if (Array.isArray(value))
    return value.map((inner: Json, i) => (i === step % value.length ? (mutated(inner, rest, other) ?? null) : inner));
  const names = Object.keys(value);
  const at = names[step % Math.max(names.length, 1)];
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === at ? mutated(inner, rest, other) : inner]),
  ) as Json;
}

test('every record gets a verdict, and none throws', () => {
  const other = fc.option(
    fc.oneof(
      fc.jsonValue() as fc.Arbitrary<Json>,
      fc.constantFrom<Json>(nestedArrays(6_000), '__proto__', 1e308, '\udc00'),
    ),
    { nil: undefined },
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...sampleRecords),
      fc.array(fc.nat(20), { maxLength: 6 }),
      other,
      ([topic, record], path, value) => {
        const verdict = checkRecord(topic, mutated(record as unknown as Json, path, value));
        expect(['malformed', 'newer', undefined]).toContain(verdict?.kind);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('checking takes about a microsecond for a small record, and linear time for a large one', () => {
  const small = sampleRecords.filter(([topic]) => topic !== 'components');
  const large = recordOf('EventEmitted', {
    ...samples.channels.EventEmitted,
    event: Array.from({ length: 100_000 }, () => [1]),
  });
  for (let warm = 0; warm < 2_000; warm++) for (const [topic, record] of small) checkRecord(topic, record);
  const readSmall = (): void => {
    for (let i = 0; i < 10_000; i++) {
      const [topic, record] = small[i % small.length] ?? ['runs', undefined];
      checkRecord(topic, record);
    }
  };
  expect(processorMs(readSmall)).toBeLessThan(1_000);
  expect(processorMs(() => void checkRecord('channels', large))).toBeLessThan(1_000);
});
