import { setImmediate as loop } from 'node:timers/promises';
import fc from 'fast-check';
import { listBytes } from './list-bytes.ts';

const written = async (list: Parameters<typeof listBytes>[0]): Promise<string> => String(await listBytes(list));

test('a list is written as JSON.stringify writes it', async () => {
  const lists = fc.record({ page_info: fc.jsonValue(), data: fc.array(fc.jsonValue()) }, { requiredKeys: ['data'] });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      expect(JSON.parse(await written(list))).toEqual(JSON.parse(JSON.stringify(list)));
    }),
  );
  expect(await written({ data: [] })).toBe('{"data":[]}');
  expect(await written({ data: [{ a: undefined }, undefined] })).toBe('{"data":[{},null]}');
});

test('other requests are served while a list of large records is written', async () => {
  const record = { event: Array.from({ length: 50_000 }, (_, n) => n) };
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns++) await loop();
  })();
  await listBytes({ data: Array.from({ length: 20 }, () => record) });
  isDone = true;
  await others;
  expect(turns).toBeGreaterThan(5);
});
