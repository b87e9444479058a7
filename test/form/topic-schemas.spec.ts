import { TopicSchemas } from '../support/topic-schemas.ts';

const schemas = new TopicSchemas();
const headers = {
  'content-type': 'application/json',
  ce_specversion: '1.0',
  ce_id: 'rec_8Zx0PqLm3RtYw5Vb',
  ce_type: 'ApiKeyAdded',
  ce_source: '/wellspring/workspaces',
  ce_time: '2026-01-31T12:00:00.000Z',
  ce_version: '1',
};
const data = { hash: 'ab', userId: 'u_1' };

test('reports no problem with a record that matches the documents', () => {
  expect(schemas.problems('workspaces', { headers, data })).toEqual([]);
});

test.each([
  ['on the wrong topic', 'channels', { headers, data }, "channels has no message 'ApiKeyAdded'"],
  ['with an undocumented header', 'workspaces', { headers: { ...headers, ce_more: '1' }, data }, 'ce_more'],
  ['without a header', 'workspaces', { headers: { ...headers, ce_id: undefined as never }, data }, 'ce_id'],
  ['without a property', 'workspaces', { headers, data: { hash: 'ab' } }, 'userId'],
  ['with a property of the wrong type', 'workspaces', { headers, data: { ...data, hash: 1 } }, 'hash'],
  ['with an undocumented property', 'workspaces', { headers, data: { ...data, more: 1 } }, 'more'],
])('reports a record %s', (_, topic, record, problem) => {
  expect(schemas.problems(topic, record).join('\n')).toContain(problem);
});
