import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { BodyRoom, expectedBytes } from './body-room.ts';

const message = (socket = new EventEmitter()): IncomingMessage => ({ socket }) as unknown as IncomingMessage;

test('a workspace alone has half of the room, and one that comes later always finds some', () => {
  const room = new BodyRoom(1_024);
  const fill = (owner: string): number => {
    let claims = 0;
    for (; claims < 1_000; claims++) {
      try {
        room.claim(message(), owner, 1);
      } catch {
        break;
      }
    }
    return claims;
  };
  expect([fill('a'), fill('b'), fill('c'), fill('d')]).toEqual([512, 256, 128, 64]);
  expect(room.takenBytes).toBe(960);
});

test('a claim that finds no room is refused with when to come again, and takes none', () => {
  const room = new BodyRoom(100);
  room.claim(message(), 'a', 50);
  expect(() => room.claim(message(), 'a', 1)).toThrow(
    expect.objectContaining({ status: 429, headers: { 'retry-after': '1' } }),
  );
  expect(room.takenBytes).toBe(50);
});

test('it is given back once, by its release or by the end of the connection', () => {
  const room = new BodyRoom(100);
  const socket = new EventEmitter();
  const [first, second, other] = [message(socket), message(socket), message()];
  for (const one of [first, second, other]) room.claim(one, 'a', 10);
  room.release(first);
  room.release(first);
  expect(room.takenBytes).toBe(20);
  socket.emit('close');
  room.release(second);
  expect(room.takenBytes).toBe(10);
  room.release(other);
  room.release(message());
  expect(room.takenBytes).toBe(0);
  room.claim(message(), 'a', 50);
});

test('ten thousand requests on one connection listen for its end once', () => {
  const room = new BodyRoom(1_000_000);
  const socket = new EventEmitter();
  for (let at = 0; at < 10_000; at++) room.claim(message(socket), 'a', 1);
  expect(socket.listenerCount('close')).toBe(1);
  socket.emit('close');
  expect(room.takenBytes).toBe(0);
});

test.each([
  [{}, 0],
  [{ 'content-length': '7' }, 7],
  [{ 'content-length': '100' }, 100],
  [{ 'content-length': '101' }, 0],
  [{ 'transfer-encoding': 'chunked' }, 100],
])('the head %j says that %i bytes may come', (headers, bytes) => {
  expect(expectedBytes({ headers } as unknown as IncomingMessage, 100)).toBe(bytes);
});
