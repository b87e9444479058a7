// Every refusal of a parameter names its field, even those that no validator finds.
import { TestBed } from '../test-bed.fake.ts';
import type { TestRequest } from '../test-bed.fake.ts';

let bed: TestBed;
let store: string;
beforeAll(async () => {
  bed = await TestBed.start();
  const created = await bed.call('POST', '/v1/data_stores', { body: { name: 'Seen' } });
  store = `/v1/data_stores/${(created.body.data as { readonly id: string }).id}`;
});
afterAll(() => bed?.stop());

type RequestArgs = readonly [method: 'GET' | 'POST' | 'PUT', url: string, asked: TestRequest];

const invalidRequests: [what: string, field: string, asking: () => RequestArgs][] = [
  ['a cursor of no list', 'after', () => ['GET', '/v1/sources', { query: { after: 'zzz' } }]],
  ['a cursor of no list, towards newer records', 'before', () => ['GET', '/v1/sources', { query: { before: 'zzz' } }]],
  ['a cursor of another list', 'before', () => ['GET', '/v1/api_keys', { query: { before: 'd2hfMDAwMA' } }]],
  ['two cursors', 'before', () => ['GET', '/v1/sources', { query: { after: 'x', before: 'y' } }]],
  ['a cursor of a data store', 'after', () => ['GET', `${store}/records`, { query: { after: 'zzz' } }]],
  ['a cursor of history', 'after', () => ['GET', '/v1/history', { query: { after: 'zzz' } }]],
  [
    'a key for repeats with a blank',
    'Idempotency-Key',
    () => ['POST', '/v1/webhooks', { body: { url: 'https://example.com/' }, headers: { 'idempotency-key': 'a b' } }],
  ],
  ['a record without a value', 'value', () => ['PUT', `${store}/record`, { body: { key: 'k' } }]],
  [
    'a time span that ends before it begins',
    'from',
    () => ['GET', '/v1/stats', { query: { from: '9000000', to: '1' } }],
  ],
  ['a time span that is too long', 'from', () => ['GET', '/v1/stats', { query: { from: '0' } }]],
  [
    'both ends of subscriptions',
    'listener_id',
    () => ['GET', '/v1/subscriptions', { query: { emitter_id: 'dc_1', listener_id: 'wh_1' } }],
  ],
  ['a name in the query that no object may have', '__proto__', () => ['GET', '/v1/sources?__proto__=1', {}]],
];

test.each(invalidRequests)('the refusal of %s names the field %s', async (_what, field, makeRequest) => {
  const { status, body } = await bed.call(...makeRequest());
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  const problems = (body.details as { readonly problems: readonly { readonly message: string }[] }).problems;
  expect(problems).toEqual([{ field, message: expect.stringMatching(/[^.]$/) }]);
  expect(body.error).toContain(problems[0]?.message);
});
