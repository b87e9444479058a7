import { ComponentCache } from './component-cache.ts';

const deploying = (sourceId: string, code: string) =>
  ({ type: 'SourceDeploying', data: { sourceId, revision: 1, code } }) as Parameters<ComponentCache['keep']>[0];
const cachedOf = (cache: ComponentCache, ids: readonly string[]): string[] =>
  ids.filter((sourceId) => cache.has('code', { sourceId, revision: 1 }));

test('drops the least recently used entries when the cache is full', () => {
  const cache = new ComponentCache(300);
  for (const sourceId of ['dc_a', 'dc_b', 'dc_c']) cache.keep(deploying(sourceId, 'x'.repeat(50)));
  cache.get('code', { sourceId: 'dc_a', revision: 1 });
  cache.keep(deploying('dc_d', 'x'.repeat(50)));
  expect(cachedOf(cache, ['dc_a', 'dc_b', 'dc_c', 'dc_d'])).toEqual(['dc_a', 'dc_c', 'dc_d']);
});

test('counts an entry that is set again once, and does not keep one larger than the whole cache', () => {
  const cache = new ComponentCache(300);
  for (let n = 0; n < 10; n++) cache.keep(deploying('dc_a', 'x'.repeat(50)));
  cache.keep(deploying('dc_b', 'x'.repeat(100)));
  expect(cachedOf(cache, ['dc_a', 'dc_b'])).toEqual(['dc_a', 'dc_b']);
  cache.keep(deploying('dc_c', 'x'.repeat(151)));
  expect(cachedOf(cache, ['dc_a', 'dc_b', 'dc_c'])).toEqual([]);
});
