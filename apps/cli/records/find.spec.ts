import type { Client, Paging, Source } from '../../../libs/client/index.ts';
import { ApiError } from '../../../libs/client/index.ts';
import { exitCodes } from '../failures/failure.ts';
import { findSource, findWebhook, firstIdOf, requireRecord } from './find.ts';
import { readNewest } from './pages.ts';
import { pagesOf, filteredPagesOf } from './pages.fake.ts';

const source = (n: number, name: string, slug: string): Source =>
  ({ id: `dc_${String(n).padStart(16, '0')}`, name, name_slug: slug }) as Source;

const many = Array.from({ length: 250 }, (_, n) => source(n, `Source ${n}`, `source-${n}`));
const twins = [source(900, 'Twin', 'twin'), source(901, 'Twin', 'twin-1')];

function clientWith(records: readonly Source[], requests: object[] = []): Client {
  const byId = async (id: string): Promise<Source | undefined> => records.find((one) => one.id === id);
  return { sources: filteredPagesOf(records, requests), source: byId } as unknown as Client;
}

test('a source is found by its id, name or slug, and few others are read', async () => {
  const requests: object[] = [];
  const client = clientWith([...many, ...twins], requests);
  for (const nameOrId of ['dc_0000000000000249', 'Source 249', 'source-249'])
    expect(await findSource(client, nameOrId)).toBe(many[249]);
  expect(await findSource(client, 'twin-1')).toBe(twins[1]);
  expect(requests.slice(0, 2)).toEqual([
    { limit: 11, name: 'Source 249' },
    { limit: 11, name_slug: 'Source 249' },
  ]);
  expect(requests).toHaveLength(6);
});

test('a webhook is found by its name or URL, and a text that two have is refused', async () => {
  const hooks = ['Till', 'https://a.example/2', null].map((name, n) => ({
    id: `wh_${String(n).padStart(16, '0')}`,
    name,
    url: `https://a.example/${n}`,
  }));
  const client = { webhooks: filteredPagesOf(hooks) } as unknown as Client;
  expect(await findWebhook(client, 'Till')).toBe(hooks[0]);
  expect(await findWebhook(client, 'https://a.example/1')).toBe(hooks[1]);
  await expect(findWebhook(client, 'https://a.example/2')).rejects.toMatchObject({ exitCode: exitCodes.usage });
});

test('if many records share a name, some of them are shown', async () => {
  const same = Array.from({ length: 30 }, (_, n) => source(n, 'Same', `same-${n}`));
  await expect(findSource(clientWith(same), 'Same')).rejects.toMatchObject({
    message: expect.stringMatching(
      /^More than 10 sources are named "Same": (dc_\d+ \(same-\d+\), ){9}.* and others\.$/,
    ),
  });
});

test.each(['', 'x'.repeat(3_000)])('what can be no name is not asked for', async (nameOrId) => {
  const requests: object[] = [];
  const client = { ...clientWith(many, requests), webhooks: filteredPagesOf([], requests) } as unknown as Client;
  await expect(findSource(client, nameOrId)).rejects.toMatchObject({ exitCode: exitCodes.notFound });
  await expect(findWebhook(client, nameOrId)).rejects.toMatchObject({ exitCode: exitCodes.notFound });
  expect(requests).toEqual([]);
});

test('the exact name of one source wins over the slug of another', async () => {
  const [spaced, dashed] = [source(905, 'Foo Bar', 'foo-bar'), source(906, 'foo-bar', 'foo-bar-1')];
  const client = clientWith([dashed, spaced]);
  expect(await findSource(client, 'foo-bar')).toBe(dashed);
  expect(await findSource(client, 'Foo Bar')).toBe(spaced);
});

test('a slug that is also the name of several sources is refused, and the slugs of the others name them', async () => {
  const orders = [
    source(902, 'orders', 'orders-1'),
    source(903, 'orders', 'orders'),
    source(904, 'orders', 'orders-2'),
  ];
  const client = clientWith(orders);
  await expect(findSource(client, 'orders')).rejects.toMatchObject({
    message: expect.stringMatching(/^3 sources are named "orders": .*dc_0000000000000903 \(orders\), /),
    exitCode: exitCodes.usage,
    hint: 'Name one by its id.',
  });
  expect(await findSource(client, 'orders-1')).toBe(orders[0]);
});

test('a name that several sources share is refused with the id and slug of each', async () => {
  await expect(findSource(clientWith(twins), 'Twin')).rejects.toMatchObject({
    message: '2 sources are named "Twin": dc_0000000000000900 (twin), dc_0000000000000901 (twin-1).',
    exitCode: exitCodes.usage,
    hint: 'Name one by its slug, in brackets here, or by its id.',
  });
});

test('an unknown name is refused with a hint where to look', async () => {
  await expect(findSource(clientWith(many), 'dc_1')).rejects.toMatchObject({
    exitCode: exitCodes.notFound,
    hint: '`pd list sources` shows them.',
  });
});

test('a name of a webhook or a source is searched among both in turn, and a shared name is refused', async () => {
  const till = { id: 'wh_0000000000000001', name: 'Till', url: 'https://a.example/hook' };
  const client = { ...clientWith(many.concat(twins)), webhooks: filteredPagesOf([till]) } as unknown as Client;
  const idOf = (nameOrId: string): Promise<string | undefined> =>
    firstIdOf(client, nameOrId, [findWebhook, findSource]);
  expect(await Promise.all(['Till', 'source-7', 'nope'].map(idOf))).toEqual([till.id, many[7]?.id, undefined]);
  await expect(idOf('Twin')).rejects.toMatchObject({ exitCode: exitCodes.usage });
});

test('the newest records are read page by page, and no more than asked for', async () => {
  const requests: Paging[] = [];
  const { records, total } = await readNewest(pagesOf(many, requests), 120);
  expect([records.length, records[119], total]).toEqual([120, many[119], 250]);
  expect(requests).toEqual([{ limit: 100 }, { limit: 20, after: many[99]?.id }]);
});

test('a record that is not found is named as given, and other errors of the service are kept', async () => {
  const notFound = new ApiError('record not found', { status: 404, code: 'not_found' });
  const unknownKey = new ApiError('No component has the key x. It has y.', { status: 404, code: 'unknown_key' });
  const lookUp = (error: Error): Promise<never> =>
    requireRecord('component', 'x', Promise.reject(error), 'pd list components');
  await expect(lookUp(notFound)).rejects.toMatchObject({ message: 'There is no component "x".' });
  await expect(lookUp(unknownKey)).rejects.toBe(unknownKey);
});
