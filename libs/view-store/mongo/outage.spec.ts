// The server becomes unavailable and returns: calls fail soon, can be retried, and work again by themselves.
import { jest } from '@jest/globals';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { book, definitions, ids, everything, write } from '../contract/fixture.ts';
import { againstMongo, createTestDatabase } from './fixture/server.ts';
import { MongoViewStore } from './mongo-view-store.ts';

const slowMs = 30_000;
const failsWithinMs = 10_000;
const unavailable = { name: 'PortError', code: 'unavailable', retryable: true };

/** A proxy to the server that can be closed. */
class Way {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(url: string) {
    this.#target = new URL(url);
  }

  /** Connects directly: otherwise the driver would bypass the proxy and use the server's own address. */
  get url(): string {
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${this.#port}`;
    url.searchParams.delete('replicaSet');
    url.searchParams.set('directConnection', 'true');
    return url.href;
  }

  async open(): Promise<void> {
    this.#server = createServer((near) => {
      const far = connect(Number(this.#target.port || 27017), this.#target.hostname);
      for (const socket of [near, far]) {
        this.#sockets.add(socket.on('error', () => undefined));
        socket.once('close', () => [near, far].forEach((end) => end.destroy()));
      }
      near.pipe(far).pipe(near);
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address !== null && typeof address === 'object') this.#port = address.port;
  }

  /** Breaks each connection at once without notice, as the next write finds it after a server was killed. */
  reset(): void {
    for (const socket of this.#sockets) {
      socket.resetAndDestroy();
      socket.destroy();
    }
  }

  /** Keeps connections open without reading from them. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server?.listening !== true) return;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await once(server, 'close');
  }
}

againstMongo('the view store through an outage', (url) => {
  jest.setTimeout(slowMs);
  let way: Way;
  let store: MongoViewStore;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    const testDatabase = createTestDatabase(url);
    drop = testDatabase.drop;
    way = new Way(url);
    await way.open();
    store = await MongoViewStore.open({ url: way.url, database: testDatabase.name, definitions });
    await store.live().put([write('before', 1, book('a', 1))]);
  });

  afterEach(async () => {
    await store.close();
    await way.close();
    await drop();
  });

  test('calls fail soon while the server is down and succeed once it is back', async () => {
    await way.close();
    const began = performance.now();
    const calls = [
      store.live().put([write('during', 1, book('a', 1))]),
      store.live().get('books', 'before'),
      store.live().saveCheckpoint({ 'channels/0': 1 }),
      store.begin(),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: unavailable });
    }
    expect(performance.now() - began).toBeLessThan(failsWithinMs);
    await expect(MongoViewStore.open({ url: way.url, database: 'views', definitions })).rejects.toMatchObject(
      unavailable,
    );
    await way.open();
    await store.live().put([write('during', 1, book('a', 1))]);
    expect(ids(await everything(store.live()))).toEqual(['before', 'during']);
  });

  test('calls on connections that were just reset fail as unavailable, if they fail', async () => {
    for (const call of [
      () => store.live().get('books', 'before'),
      () => store.live().put([write('during', 1, book('a', 1))]),
      () => store.live().saveCheckpoint({ 'channels/0': 1 }),
    ]) {
      await store.live().resume();
      way.reset();
      const failure: unknown = await call().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure ?? unavailable).toMatchObject(unavailable);
    }
  });

  test('a write too large for the connection fails soon if the server stops reading, and others succeed', async () => {
    way.freeze();
    const began = performance.now();
    const large = write('large', 1, book('a', 1, { blurb: 'x'.repeat(14_000_000) }));
    await expect(store.live().put([large])).rejects.toMatchObject(unavailable);
    expect(performance.now() - began).toBeLessThan(failsWithinMs);
    await store.live().put([write('during', 1, book('a', 1))]);
  });

  test('an invalid URL is a plain error that does not repeat it', async () => {
    const wrong = MongoViewStore.open({ url: 'http://user:secret@127.0.0.1', database: 'views', definitions });
    await expect(wrong).rejects.toThrow(/mongodb:/);
    await expect(wrong).rejects.not.toThrow(/secret/);
  });
});
