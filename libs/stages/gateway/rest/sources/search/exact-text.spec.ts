// Sources and webhooks are found by the full text of a field.
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

interface CreatedRecord {
  readonly id: string;
}

const create = async (path: string, body: object): Promise<string> =>
  ((await bed.call('POST', path, { body })).body.data as CreatedRecord).id;
const channel = (name: string): Promise<string> => create('/v1/sources', { kind: 'channel', name });
const url = 'https://example.com/hook?a=1&b=%20';
const webhook = (body: object = {}): Promise<string> => create('/v1/webhooks', { url, ...body });

const list = (path: string, query: Readonly<Record<string, string>>): Promise<Answer> =>
  bed.call('GET', path, { query });
const idsOf = ({ body }: Answer): readonly string[] => (body.data as readonly CreatedRecord[]).map(({ id }) => id);
const findIds = async (path: string, query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  idsOf(await list(path, query));

test('sources are found by their exact name, newest first and in pages, and one by its slug', async () => {
  const [first, second] = [await channel('Zug Ω "1"'), await channel('Zug Ω "1"')];
  const other = await channel('zug ω "1"');
  const name = 'Zug Ω "1"';
  expect(await findIds('/v1/sources', { name })).toEqual([second, first]);
  expect(await findIds('/v1/users/me/sources', { name: 'zug ω "1"' })).toEqual([other]);
  const page = await list('/v1/sources', { name, limit: '1' });
  expect([idsOf(page), page.body.page_info?.['total_count']]).toEqual([[second], 2]);
  expect(await findIds('/v1/sources', { name, after: String(page.body.page_info?.['end_cursor']) })).toEqual([first]);
  expect(await findIds('/v1/sources', { name, q: first })).toEqual([first]);
  expect(await findIds('/v1/sources', { name_slug: 'zug-1' })).toEqual([first]);
  expect(await findIds('/v1/sources', { name: 'Zug' })).toEqual([]);
});

test('a source is found by its new name and slug, no longer by the former, and not once it is deleted', async () => {
  const id = await channel('Before');
  await bed.call('PUT', `/v1/sources/${id}`, { body: { name: 'After' } });
  const look = async (): Promise<readonly string[]> =>
    (
      await Promise.all(
        [{ name: 'Before' }, { name_slug: 'before' }, { name: 'After' }, { name_slug: 'after' }].map((query) =>
          findIds('/v1/sources', query),
        ),
      )
    ).flat();
  expect(await look()).toEqual([id, id]);
  expect(await findIds('/v1/sources', { name: 'Before' })).toEqual([]);
  await bed.call('DELETE', `/v1/sources/${id}`);
  expect(await look()).toEqual([]);
});

test('webhooks are found by their exact name or URL, also after a change', async () => {
  const unnamed = await webhook();
  const named = await webhook({ name: 'Till' });
  expect(await findIds('/v1/webhooks', { name: 'Till' })).toEqual([named]);
  expect(await findIds('/v1/users/me/webhooks', { url })).toEqual([named, unnamed]);
  await bed.call('PUT', `/v1/webhooks/${named}`, { body: { name: null, url: 'https://example.org/' } });
  expect(await findIds('/v1/webhooks', { name: 'Till' })).toEqual([]);
  expect(await findIds('/v1/webhooks', { url })).toEqual([unnamed]);
  await bed.call('PUT', `/v1/webhooks/${unnamed}`, { body: { name: 'Till' } });
  expect(await findIds('/v1/webhooks', { name: 'Till' })).toEqual([unnamed]);
  const records = (await list('/v1/webhooks', {})).body.data as readonly { readonly name: string | null }[];
  expect(records.map(({ name }) => name).toSorted()).toEqual(['Till', null]);
});

test.each([
  ['/v1/sources', { name: '' }, 'name'],
  ['/v1/sources', { name: 'x'.repeat(1_001) }, 'name'],
  ['/v1/sources', { name: 'a', name_slug: 'a' }, 'name_slug'],
  ['/v1/webhooks', { name: 'x'.repeat(256) }, 'name'],
  ['/v1/webhooks', { url: '' }, 'url'],
  ['/v1/webhooks', { name: 'a', url }, 'url'],
])('answers 400 to GET %s with %j', async (path, query, field) => {
  const { status, body } = await list(path, query);
  expect([status, body.details]).toMatchObject([400, { problems: [{ field }] }]);
});
