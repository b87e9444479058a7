import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PortError } from '../domain/port-error.ts';
import { readConfig } from './config/config.ts';
import { readDistributedConfig } from './distributed/config.ts';
import { distributed } from './distributed/distributed.engine.ts';
import { embedded } from './embedded/embedded.engine.ts';
import { announceLater, reportEachReason, rebuildHereOrByService } from './rebuild.ts';

const servers = { KAFKA_BROKERS: 'kafka:9092', MONGODB_URL: 'mongodb://db', MASTER_KEY: '0'.repeat(64) };

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fd00::7', '[fd00::7]'],
])('for a service that listens on %s the request to rebuild views goes to %s', (HOST, host) => {
  const config = readDistributedConfig({ ...servers, HOST, HEALTH_PORT: '8080' });
  expect(embedded.rebuildUrl(readConfig({ HOST }))).toBe(`http://${host}:3000/rebuild`);
  expect(distributed.rebuildUrl(config)).toBe(`http://${host}:8080/rebuild`);
});

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rebuild-'));
  await writeFile(join(dataDir, 'api-key'), 'pd_key\n');
});
afterEach(() => rm(dataDir, { recursive: true }));

/** The parts of a rebuild through a running service that should answer at `url`. */
function rebuildOf(url: string, onAsked = (_url: string) => () => {}): Promise<unknown> {
  const openStores = () => Promise.reject(new PortError('in_use', 'the log is in use'));
  const engine = { openStores, rebuildUrl: () => url } as unknown as Parameters<typeof rebuildHereOrByService>[0];
  const rebuildLocally = () => Promise.reject(new Error('it is not stopped'));
  return rebuildHereOrByService(engine, { dataDir } as Parameters<typeof rebuildHereOrByService>[1], {
    rebuildLocally,
    onRebuildRequested: onAsked,
  });
}

test('a service that runs is asked, with the key in its data directory', async () => {
  const keys: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    keys.push(headers.authorization);
    response.end('{ "documents": 3, "durationMs": 1 }');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await rebuildOf(`http://127.0.0.1:${port}/rebuild`)).toEqual({ documents: 3, durationMs: 1 });
  expect(keys).toEqual(['Bearer pd_key']);
  server.closeAllConnections();
  server.close();
});

test('whoever waits long for a service is told who works and where it tells of trouble', async () => {
  const lines: string[] = [];
  const told = Promise.withResolvers<void>();
  const write = (line: string): void => void (lines.push(line), told.resolve());
  const server = createServer(async (_request, response) => {
    await told.promise;
    response.end('{ "documents": 3, "durationMs": 1 }');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await rebuildOf(`${origin}/rebuild`, (url) => announceLater({ write }, url, 1));
  expect(lines).toEqual([`The service at ${origin} makes the views anew; if it has trouble, its log says so.\n`]);
  server.closeAllConnections();
  server.close();
});

test('who asks at another address than that of the service is told what to give', async () => {
  const advice = 'Give this command the HOST and PORT that the service runs with.';
  const told = rebuildOf('http://127.0.0.1:1/rebuild');
  await expect(told).rejects.toThrow(`A service uses ${dataDir}, but none answers at http://127.0.0.1:1/rebuild (`);
  await expect(told).rejects.toThrow(advice);
});

test('whoever waits for a rebuild is told once why it waits, and again when the reason changes', () => {
  const lines: string[] = [];
  const onRetry = reportEachReason({ write: (line) => lines.push(line) });
  for (const why of ['the disk is full', 'the disk is full', 'MongoDB is away']) onRetry(new Error(why));
  expect(lines).toEqual([
    'The rebuild waits, and tries again: the disk is full\n',
    'The rebuild waits, and tries again: MongoDB is away\n',
  ]);
});
