import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { eventStreams } from './stream-kind.ts';
import { FieldSelection } from './selection.ts';
import { UnreadBytes } from './sharing/unread-bytes.ts';
import { Stream } from './stream.ts';

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
const followed = { kind: eventStreams, workspace: 'o_1', sourceId: 'dc_1', channel: undefined };
const streamOn = (response: ServerResponse, unread = new UnreadBytes()): Stream =>
  new Stream(response, new FieldSelection(followed, {}), unread);

test('writes nothing before it has begun or after it has ended', () => {
  const response = newResponse();
  const stream = streamOn(response);
  stream.sendHeartbeat();
  stream.end();
  expect([response.headersSent, response.writableEnded]).toEqual([false, false]);
  stream.begin({}, false);
  expect([response.headersSent, stream.isOpen]).toEqual([true, true]);
  stream.end();
  expect(stream.isOpen).toBe(false);
  const { writableLength } = response;
  stream.sendHeartbeat();
  expect(response.writableLength).toBe(writableLength);
});

test('a stream to a disconnected client is closed from the start', async () => {
  const response = newResponse();
  response.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  expect([streamOn(response).isOpen, streamOn(response).closed.aborted]).toEqual([false, true]);
});

test('disconnects a client that is a mebibyte behind instead of sending more', () => {
  const response = newResponse();
  const stream = streamOn(response);
  stream.begin({}, true);
  const part = Buffer.alloc(256 * 1024);
  for (let sent = 0; sent < 4; sent++) stream.write(part);
  expect(response.destroyed).toBe(false);
  stream.write(part);
  expect(response.destroyed).toBe(true);
});

test('counts unread bytes of all clients together, and drops those of a disconnected client', () => {
  const unread = new UnreadBytes(512 * 1024);
  const [first, second] = [newResponse(), newResponse()];
  const [slow, slower] = [streamOn(first, unread), streamOn(second, unread)];
  for (const stream of [slow, slower]) stream.begin({}, false);
  slow.write(Buffer.alloc(200 * 1024));
  slower.write(Buffer.alloc(300 * 1024));
  expect(unread.bytes).toBe(500 * 1024);
  slow.write(Buffer.alloc(20 * 1024));
  expect([first.destroyed, second.destroyed, slower.isOpen]).toEqual([false, true, false]);
  expect(unread.bytes).toBe(220 * 1024);
  slow.disconnect();
  expect(unread.bytes).toBe(0);
});
