import { withDistinctLabels } from './distinct-labels.ts';

const orders = { value: 'dc_1', label: 'Orders', slug: 'orders' };
const others = { value: 'dc_2', label: 'Orders ', slug: 'orders-1' };
const alone = { value: 'dc_3', label: 'Alone', slug: 'alone' };

const labels = (...given: Parameters<typeof withDistinctLabels>): readonly string[] =>
  withDistinctLabels(...given).map(({ label }) => label);

test('a unique name is shown alone', () => {
  expect(withDistinctLabels([orders, alone])).toEqual([
    { value: 'dc_1', label: 'Orders' },
    { value: 'dc_3', label: 'Alone' },
  ]);
});

test('names that look the same are followed by the slug, or by the id if there is no slug', () => {
  expect(labels([orders, alone, others])).toEqual(['Orders (orders)', 'Alone', 'Orders  (orders-1)']);
  expect(
    labels([
      { ...orders, slug: null },
      { value: 'wh_1', label: 'Orders' },
    ]),
  ).toEqual(['Orders (dc_1)', 'Orders (wh_1)']);
});

test('a name counts as shared with a record that is not shown, but not with the record itself', () => {
  expect(labels([orders], [others, alone])).toEqual(['Orders (orders)']);
  expect(labels([orders], [orders, alone])).toEqual(['Orders']);
});
