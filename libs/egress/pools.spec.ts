import { EgressGuard } from './guard.ts';
import { OriginPools } from './pools.ts';

test('an origin keeps its pool; the least recently used pool is closed to make room', async () => {
  const pools = new OriginPools(new EgressGuard(), { originsMax: 2 });
  const first = pools.poolOf('http://a.example');
  const second = pools.poolOf('http://b.example');
  expect(pools.poolOf('http://a.example')).toBe(first);
  pools.poolOf('http://c.example');
  expect(pools.size).toBe(2);
  expect(pools.poolOf('http://a.example')).toBe(first);
  expect(pools.poolOf('http://b.example')).not.toBe(second);
  await pools.close(100);
  expect(pools.size).toBe(0);
});
