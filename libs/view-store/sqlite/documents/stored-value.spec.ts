import { viewDefinitions } from '../../../domain/views/index.ts';
import { StoredValues } from './stored-value.ts';

const { sample = '' } = viewDefinitions.find(({ name }) => name === 'deliveries') ?? {};

test.each([
  ['short', '{"a":1}'],
  ['like the sample', sample.replace('0000', '1234')],
  ['of any letters', JSON.stringify({ text: 'ä € 😀 \n'.repeat(40) })],
  ['large', JSON.stringify({ text: 'x'.repeat(1_000_000) })],
])('a text that is %s is read back unchanged', (_, text) => {
  for (const values of [new StoredValues(sample), new StoredValues('')])
    expect(values.read('id_1', values.store('id_1', text))).toBe(text);
});

test('a value stored as plain text by earlier versions is read with any sample', () => {
  expect(new StoredValues(sample).read('id_1', sample)).toBe(sample);
});

test('a document like the sample takes less than a fifth of its text, and even less when it contains its id', () => {
  const id = 'sub_8f7g6h5j4k3l2m1n';
  const text = sample.replace('sub_0000000000000000', id);
  const values = new StoredValues(sample);
  const stored = values.store(id, text);
  expect(stored.length).toBeLessThan(text.length / 5);
  expect(stored.length).toBeLessThan(values.store('another', text).length);
});
