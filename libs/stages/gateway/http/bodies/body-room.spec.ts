import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { BodyRoom, expectedBytes } from './body-room.ts';
import type { RoomOwner } from '../limits/byte-room.ts';

const message = (socket = new EventEmitter()): IncomingMessage => ({ socket }) as unknown as IncomingMessage;

const owner = (workspace: string, door = 'api'): RoomOwner => ({ workspace, door });

/** Claims single bytes until there is no room, and returns their number. */
function fill(room: BodyRoom, of: RoomOwner): number {
  for (let claims = 0; claims < 10_000; claims++) {
    try {
      room.claim(message(), of, 1);
    } catch {
      return claims;
    }
  }
  throw new Error('there is no bound');
}

test('each workspace has room left, however much the others hold', () => {
  const room = new BodyRoom(1_200);
  expect([fill(room, owner('a')), fill(room, owner('b')), fill(room, owner('c'))]).toEqual([400, 267, 178]);
  expect(room.takenBytes).toBe(845);
});

test('the API and other endpoints of a workspace have room left, however much one endpoint holds', () => {
  const room = new BodyRoom(1_200);
  const doors = ['dc_1', 'api', 'dc_2'].map((door) => fill(room, owner('a', door)));
  expect(doors).toEqual([400, 134, 44]);
  expect(fill(room, owner('b'))).toBeGreaterThan(200);
});

test('a claim without room is refused with Retry-After and takes nothing', () => {
  const room = new BodyRoom(100);
  room.claim(message(), owner('a'), 30);
  expect(() => room.claim(message(), owner('a'), 21)).toThrow(
    expect.objectContaining({ status: 429, headers: { 'retry-after': '1' } }),
  );
  expect(room.takenBytes).toBe(30);
});

test('room is freed once, by a release or when the connection closes', () => {
  const room = new BodyRoom(100);
  const socket = new EventEmitter();
  const [first, second, other] = [message(socket), message(socket), message()];
  for (const one of [first, second, other]) room.claim(one, owner('a'), 10);
  room.release(first);
  room.release(first);
  expect(room.takenBytes).toBe(20);
  socket.emit('close');
  room.release(second);
  expect(room.takenBytes).toBe(10);
  room.release(other);
  room.release(message());
  expect(room.takenBytes).toBe(0);
  room.claim(message(), owner('a'), 33);
});

test('a closed connection claims nothing, because nobody would release it', () => {
  const room = new BodyRoom(100);
  room.claim(message(Object.assign(new EventEmitter(), { destroyed: true })), owner('a'), 10);
  expect(room.takenBytes).toBe(0);
});

test('ten thousand requests on one connection add one close listener', () => {
  const room = new BodyRoom(1_000_000);
  const socket = new EventEmitter();
  for (let at = 0; at < 10_000; at++) room.claim(message(socket), owner('a'), 1);
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
])('a request with headers %j reserves %i bytes', (headers, bytes) => {
  expect(expectedBytes({ headers } as unknown as IncomingMessage, 100)).toBe(bytes);
});
