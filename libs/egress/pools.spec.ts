import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../test/support/until.ts';
import { EgressGuard } from './guard.ts';
import { OriginPools } from './pools.ts';
import { request } from './undici.ts';

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

test('closing lets requests end within the wait, and then aborts those that still run, also where an origin made room', async () => {
  const open: ServerResponse[] = [];
  const server = createServer((_, response) => void open.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const map = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.example`, { address: '127.0.0.1', port }]));
  const pools = new OriginPools(new EgressGuard([], map), { originsMax: 2 });
  const ask = (origin: string): Promise<string> =>
    request(pools.poolOf(origin), { origin, path: '/', method: 'GET' }).then(
      ({ body }) => body.text(),
      () => 'aborted',
    );
  const answers: Promise<string>[] = [];
  for (const name of ['a', 'b', 'c']) {
    answers.push(ask(`http://${name}.example`));
    await until('the request', () => open.length === answers.length);
  }
  const closed = pools.close(500);
  open[1]?.end('in time');
  expect(await Promise.all(answers)).toEqual(['aborted', 'in time', 'aborted']);
  await closed;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
