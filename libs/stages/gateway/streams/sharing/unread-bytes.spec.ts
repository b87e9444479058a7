import { UnreadBytes } from './unread-bytes.ts';
import type { StreamReader } from './unread-bytes.ts';

class Client implements StreamReader {
  unreadBytes = 0;
  isGone = false;
  readonly #unread: UnreadBytes;
  readonly #held: (() => void)[] = [];

  constructor(unread: UnreadBytes) {
    this.#unread = unread;
  }

  write(bytes: Buffer): void {
    this.unreadBytes += bytes.length;
    this.#held.push(this.#unread.hold(this, bytes));
    this.#unread.enforceLimit();
  }

  disconnect(): void {
    this.isGone = true;
    for (const release of this.#held.splice(0)) release();
  }
}

test('counts bytes shared by many clients once, until the last client has released them', () => {
  const unread = new UnreadBytes(100);
  const clients = Array.from({ length: 10 }, () => new Client(unread));
  const shared = Buffer.alloc(60);
  for (const client of clients) client.write(shared);
  expect([unread.bytes, clients.some(({ isGone }) => isGone)]).toEqual([60, false]);
  for (const client of clients.slice(1)) client.disconnect();
  expect(unread.bytes).toBe(60);
  clients[0]?.disconnect();
  expect(unread.bytes).toBe(0);
});

test('above the limit disconnects only the client that is furthest behind', () => {
  const unread = new UnreadBytes(100);
  const [near, far, middle] = [new Client(unread), new Client(unread), new Client(unread)];
  near.write(Buffer.alloc(20));
  far.write(Buffer.alloc(50));
  middle.write(Buffer.alloc(30));
  expect([near, far, middle].map(({ isGone }) => isGone)).toEqual([false, false, false]);
  near.write(Buffer.alloc(10));
  expect([near, far, middle].map(({ isGone }) => isGone)).toEqual([false, true, false]);
  expect(unread.bytes).toBe(60);
});
