import { derivedIds } from '../id.ts';
import { chainFrom } from './chain.ts';
import { readTraceparent, spanIdOf, traceIdOf, traceparentOf } from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;

test('a valid header is used unchanged', () => {
  expect(readTraceparent(traceparent)).toBe(traceparent);
});

test('flags that Trace Context does not define are not passed on', () => {
  expect(readTraceparent(`00-${trace}-00f067aa0ba902b7-ff`)).toBe(`00-${trace}-00f067aa0ba902b7-03`);
  expect(readTraceparent(`00-${trace}-00f067aa0ba902b7-00`)).toBe(`00-${trace}-00f067aa0ba902b7-00`);
});

test('the known part of a header of a later version is used', () => {
  expect(readTraceparent(`cc-${trace}-00f067aa0ba902b7-01`)).toBe(traceparent);
  expect(readTraceparent(`cc-${trace}-00f067aa0ba902b7-01-what-the-future-will-be-like`)).toBe(traceparent);
});

test.each([
  ['no header', undefined],
  ['several', [traceparent, traceparent]],
  ['two in one', `${traceparent}, ${traceparent}`],
  ['empty', ''],
  ['too short', traceparent.slice(0, -1)],
  ['longer than version 00 is', `${traceparent}-01`],
  ['a later version with no dash', `cc${traceparent.slice(2)}.what`],
  ['version ff', `ff${traceparent.slice(2)}`],
  ['capitals', traceparent.toUpperCase()],
  ['no hexadecimal digit', traceparent.replace('4bf', '4bg')],
  ['a trace of zeros', traceparent.replace(trace, '0'.repeat(32))],
  ['a span of zeros', traceparent.replace('00f067aa0ba902b7', '0'.repeat(16))],
  ['spaces around', ` ${traceparent}`],
])('a header that cannot be used starts a new trace: %s', (_what, header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

test('everything that follows from a request is in its trace, each record with its own span', () => {
  const { correlationId } = chainFrom('req_1', 'gateway', traceparent);
  const [first, second] = ['rec_1', 'rec_2'].map((id) => traceparentOf({ id, correlationId }));
  expect(first).toBe(`00-${trace}-${spanIdOf('rec_1')}-01`);
  expect(second).toBe(`00-${trace}-${spanIdOf('rec_2')}-01`);
  expect(first).not.toBe(second);
  expect(traceIdOf(correlationId)).toBe(trace);
});

test('the sampled flag is kept', () => {
  const { correlationId } = chainFrom('req_1', 'gateway', traceparent.replace(/01$/, '00'));
  expect(traceparentOf({ id: 'rec_1', correlationId })).toMatch(/-00$/);
});

test('without a header each request has its own trace, which never changes', () => {
  const [one, two] = ['req_1', 'req_2'].map((id) => traceIdOf(chainFrom(id, 'gateway').correlationId));
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(one).not.toBe(two);
  expect(traceIdOf(chainFrom('req_1', 'gateway').correlationId)).toBe(one);
  expect(readTraceparent(traceparentOf({ id: 'rec_1', correlationId: 'req_1' }))).toBeDefined();
});

test('any text as correlation gives a valid traceparent', () => {
  for (const correlationId of ['', '/', `/${traceparent}`, `x/${traceparent.toUpperCase()}`, '€'.repeat(500)])
    expect(readTraceparent(traceparentOf({ id: '', correlationId }))).toBeDefined();
});

test('consecutive ids have different spans', () => {
  const idAt = derivedIds('rec', 'many');
  const spans = new Set(Array.from({ length: 100_000 }, (_, n) => spanIdOf(idAt(n))));
  expect(spans.size).toBe(100_000);
  const attempts = Array.from({ length: 1_000 }, (_, n) => spanIdOf(`rec_0123456789abcdef-${n}`));
  expect(new Set(attempts).size).toBe(1_000);
});
