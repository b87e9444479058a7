import type { Client } from '../../../../libs/client/index.ts';
import { ApiError } from '../../../../libs/client/index.ts';
import { filteredPagesOf } from '../../records/pages.fake.ts';
import { exitCodes } from '../../failures/failure.ts';
import { subjectOf } from './subject.ts';

const client = {
  sources: filteredPagesOf([{ id: 'dc_0000000000000001', name: 'Orders', name_slug: 'orders' }]),
  webhooks: filteredPagesOf([{ id: 'wh_0000000000000001', name: 'Till', url: 'https://a.example/hook' }]),
} as unknown as Client;

const ids = ['key_0000000000000001', 'dc_0000000000000009', 'req_0Vc4bmimkYQdcq4hs2LN', '1795428820812-0', 'dc_*'];

test.each(ids)('the id %s is not looked up', async (id) => {
  expect(await subjectOf({} as Client, id)).toBe(id);
});

test('a source is found by its name or slug, and a webhook by its name or URL', async () => {
  for (const named of ['Orders', 'orders']) expect(await subjectOf(client, named)).toBe('dc_0000000000000001');
  for (const named of ['Till', 'https://a.example/hook'])
    expect(await subjectOf(client, named)).toBe('wh_0000000000000001');
});

test('what is neither an id nor a known name is refused', async () => {
  await expect(subjectOf(client, 'nope')).rejects.toMatchObject({
    message: 'There is no source or webhook "nope".',
    exitCode: exitCodes.notFound,
  });
});

test('a key that may read only history gets the advice to give an id', async () => {
  const refused = async (): Promise<never> => {
    throw new ApiError('The API key lacks the scope read.', { status: 403, code: 'forbidden' });
  };
  await expect(subjectOf({ sources: refused } as unknown as Client, 'orders')).rejects.toMatchObject({
    message: '"orders" is no id, and this API key may not look up names.',
    exitCode: exitCodes.usage,
  });
});
