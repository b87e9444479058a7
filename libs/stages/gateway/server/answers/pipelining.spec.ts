import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { until } from '../../../../../test/support/until.ts';
import { pipelinedMax, limitPipelining } from './pipelining.ts';

const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const totalMax = 3 * pipelinedMax;

/** Requests that wait for their answers, oldest first. */
const responses: ServerResponse[] = [];
const server = createServer((_request, response) => void responses.push(response));
const sockets: Socket[] = [];
beforeAll(async () => {
  limitPipelining(server, totalMax);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(
    'no connection is left',
    () => new Promise((resolve) => server.getConnections((_e, n) => resolve(n === 0))),
  );
  responses.length = 0;
});
afterAll(() => server.close());

function sends(text: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.write(text);
  return socket;
}

const isEnded = (socket: Socket): Promise<true> => until('the connection is ended', () => socket.closed);
const untilReceived = (count: number): Promise<true> => until('the requests', () => responses.length >= count);

test('as many requests as are allowed can wait for their answers, and more can follow once these are answered', async () => {
  const socket = sends(request.repeat(pipelinedMax + 1));
  let answers = '';
  socket.on('data', (chunk) => (answers += String(chunk)));
  for (let round = 1; round <= 3; round++) {
    await untilReceived(pipelinedMax + 1);
    for (const response of responses.splice(0)) response.end('ok');
    await until('the answers', () => answers.split('HTTP/1.1 200').length === round * (pipelinedMax + 1) + 1);
    expect(socket.closed).toBe(false);
    socket.write(request.repeat(pipelinedMax + 1));
  }
});

test('a connection with one more is closed', async () => {
  const socket = sends(request.repeat(pipelinedMax + 2));
  socket.resume();
  expect(await isEnded(socket)).toBe(true);
});

test('a connection with as many requests that expect something unknown is closed, too', async () => {
  const socket = sends(request.replace('\r\n\r\n', '\r\nexpect: magic\r\n\r\n').repeat(pipelinedMax + 2));
  socket.resume();
  expect(await isEnded(socket)).toBe(true);
});

test('the requests ahead of all connections are bounded, and a connection that ends makes room', async () => {
  const first = Array.from({ length: 3 }, () => sends(request.repeat(pipelinedMax + 1)));
  await untilReceived(totalMax + 3);
  const alone = sends(request);
  await untilReceived(totalMax + 4);
  const ahead = sends(request.repeat(2));
  ahead.resume();
  expect(await isEnded(ahead)).toBe(true);
  expect([...first, alone].map(({ closed }) => closed)).toEqual([false, false, false, false]);

  first[0]?.destroy();
  await until('its end', () => new Promise((resolve) => server.getConnections((_e, n) => resolve(n === 3))));
  const before = responses.length;
  sends(request.repeat(2));
  await untilReceived(before + 2);
});
