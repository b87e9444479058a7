import { rankComponents } from './search.ts';

const component = (key: string, type: 'source' | 'action', name = '', description = '') => ({
  key,
  type,
  name,
  description,
});
const all = [
  component('acme-new-order', 'source', 'New Order', 'Emits each order'),
  component('acme-new-invoice', 'source', 'New Invoice', 'Emits what an order has led to'),
  component('acme-add-order', 'action', 'Add Order'),
];
const keys = (query: string, limit = 100) => rankComponents(all, { query, limit });

test('lists everything by kind and key without a query', () => {
  expect(keys('')).toEqual({ sources: ['acme-new-invoice', 'acme-new-order'], actions: ['acme-add-order'] });
  expect(keys('', 1)).toEqual({ sources: ['acme-new-invoice'], actions: ['acme-add-order'] });
});

test('ranks by matched words, keys before descriptions, and leaves out components without a match', () => {
  expect(keys('ORDER!').sources).toEqual(['acme-new-order', 'acme-new-invoice']);
  expect(keys('invoice, new')).toEqual({ sources: ['acme-new-invoice', 'acme-new-order'], actions: [] });
  expect(keys('nothing')).toEqual({ sources: [], actions: [] });
});
