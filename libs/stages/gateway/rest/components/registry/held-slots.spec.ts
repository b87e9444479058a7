// A look-up continues when nobody waits for it any more, so its place is not free for another one until it has ended.
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { until } from '../../../../../../test/support/until.ts';
import { TestBed } from '../../../test-bed.fake.ts';

/** Requests of a workspace that can wait for packages. */
const installingMax = 16;

let bed: TestBed;
let installed: PromiseWithResolvers<void>;
beforeEach(async () => {
  bed = await TestBed.start({ limits: { installingMs: 60_000 } });
  await bed.app.listen(0, '127.0.0.1');
  installed = Promise.withResolvers<void>();
  bed.packages.components = async (name) => {
    await installed.promise;
    return { kind: 'found', package: { name, version: '1.0.0' }, components: [] };
  };
});
afterEach(async () => {
  installed.resolve();
  await bed?.stop();
});

function search(app: string): Socket {
  const { port } = bed.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET /v1/components/search?app=${app} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bed.apiKey}\r\n\r\n`,
  );
  return socket;
}

const sentCount = (): number => bed.log.records('commands').filter(({ type }) => type === 'FetchComponent').length;
const waitUntilAllSent = (): Promise<unknown> =>
  until('the commands to be sent', async () => sentCount() === installingMax);
const connections = (): Promise<number> =>
  new Promise((resolve) => bed.app.getHttpServer().getConnections((_error, count) => resolve(count)));
const searchMore = async (): Promise<number> =>
  (await bed.call('GET', '/v1/components/search', { query: { app: 'more' } })).status;

test('the place of a client that hangs up stays taken until its look-up has ended', async () => {
  const searching = Array.from({ length: installingMax }, (_, n) => search(`a${n}`));
  await waitUntilAllSent();
  for (const socket of searching) socket.destroy();
  await until('the clients to be gone', async () => (await connections()) === 0);
  expect(await searchMore()).toBe(429);
  expect(sentCount()).toBe(installingMax);
  installed.resolve();
  await until('a place to be free', async () => (await searchMore()) === 200);
});

test('the place of a client that was answered early stays taken until its look-up has ended', async () => {
  const apps = Array.from({ length: installingMax }, (_, n) => `a${n}`);
  const answers = await bed.withLimits({ installingMs: 100 }, () =>
    Promise.all(apps.map((app) => bed.call('GET', '/v1/components/search', { query: { app } }))),
  );
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['still_looking']));
  expect(await searchMore()).toBe(429);
  installed.resolve();
  await until('a place to be free', async () => (await searchMore()) === 200);
});
