// A template restores every text byte for byte, and stores little of one with the fields of its sample.
import fc from 'fast-check';
import { viewDefinitions } from '../../../domain/views/index.ts';
import { Template } from './template.ts';

const samples = viewDefinitions.flatMap(({ name, sample }) => (sample === undefined ? [] : [{ name, sample }]));
const deliveries = samples.find(({ name }) => name === 'deliveries')?.sample ?? '';

/** Returns the stored form of a document's text, after checking that the text is read back unchanged. */
function stored(sample: string, id: string, text: string): string {
  const template = new Template(sample);
  const short = template.shorten(id, text) ?? text;
  expect(template.expand(id, short)).toBe(text);
  return short;
}

test.each(samples)('documents of $name have the fields of their sample', ({ sample }) => {
  expect(stored(sample, 'id', sample)).toMatch(/^[\u0001\u0002]*$/);
});

test('only values that differ from the sample are stored, and parts of the id as one character', () => {
  const text = deliveries.replace('sub_0000000000000000', 'sub_8f7g6h5j4k3l2m1n').replace('"ok"', '""');
  expect(stored(deliveries, 'x', text).replaceAll('\u0002', '')).toBe('\u00018f7g6h5j4k3l2m1n\u0003');
  expect(stored(deliveries, 'dc_1/sub_8f7g6h5j4k3l2m1n', text).replaceAll('\u0002', '')).toBe('\u0001\u0005\u0003');
});

test('a text with other fields than the sample is not shortened', () => {
  const template = new Template(deliveries);
  for (const text of ['{}', deliveries.slice(0, -1), deliveries.replace('channel', 'chanel'), `[${deliveries}]`])
    expect(template.shorten('x', text)).toBeUndefined();
  expect(new Template('').shorten('x', '{"a":1}')).toBeUndefined();
});

test('a document with any values and any id is read back unchanged', () => {
  const sample = { id: 'dc_0000', text: 'as usual', number: 0, list: ['a'], none: null, event: {}, in: { deep: [] } };
  const value = fc
    .anything({ maxDepth: 2, withNullPrototype: false })
    .map((any) => JSON.parse(JSON.stringify(any) ?? '0'));
  const nasty = fc.constantFrom('', 'as usual', '","text":"', '\u0001\u0002\u0003\u0004', 'dc_00001/"/\\', '$&$1');
  const document = fc.record({
    id: fc.oneof(fc.string(), nasty),
    text: fc.oneof(fc.string({ unit: 'binary' }), nasty),
    number: fc.oneof(fc.double(), fc.integer()),
    list: fc.oneof(fc.array(fc.string()), fc.array(value)),
    none: fc.oneof(fc.constant(null), nasty, value),
    event: value,
    in: fc.record({ deep: value }),
  });
  const id = fc.oneof(fc.string({ minLength: 8 }), nasty, fc.constantFrom('12345678/as usual', '\u0004xxxxxxxx'));
  fc.assert(
    fc.property(document, id, (given, of) => {
      stored(JSON.stringify(sample), of, JSON.stringify(given));
      stored(JSON.stringify(sample), given.text, JSON.stringify({ ...given, more: 1 }));
    }),
  );
});
