import { ComponentCache } from './cache.ts';

const deploying = (sourceId: string, code: string) =>
  ({ type: 'SourceDeploying', data: { sourceId, revision: 1, code } }) as Parameters<ComponentCache['keep']>[0];
const kept = (cache: ComponentCache, ids: readonly string[]): string[] =>
  ids.filter((sourceId) => cache.has('code', { sourceId, revision: 1 }));

test('the least recently used entries are dropped when there is too much', () => {
  const cache = new ComponentCache(300);
  for (const sourceId of ['dc_a', 'dc_b', 'dc_c']) cache.keep(deploying(sourceId, 'x'.repeat(50)));
  cache.get('code', { sourceId: 'dc_a', revision: 1 });
  cache.keep(deploying('dc_d', 'x'.repeat(50)));
  expect(kept(cache, ['dc_a', 'dc_b', 'dc_c', 'dc_d'])).toEqual(['dc_a', 'dc_c', 'dc_d']);
});

test('an entry that is set again counts once, and one larger than the whole cache is not kept', () => {
  const cache = new ComponentCache(300);
  for (let n = 0; n < 10; n++) cache.keep(deploying('dc_a', 'x'.repeat(50)));
  cache.keep(deploying('dc_b', 'x'.repeat(100)));
  expect(kept(cache, ['dc_a', 'dc_b'])).toEqual(['dc_a', 'dc_b']);
  cache.keep(deploying('dc_c', 'x'.repeat(151)));
  expect(kept(cache, ['dc_a', 'dc_b', 'dc_c'])).toEqual([]);
});
