import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { until } from '../../../../../test/support/until.ts';
import { endStalledAnswers } from './stalled-answers.ts';

const afterMs = 300;
/** More than a connection's buffers hold. */
const large = Buffer.alloc(64 * 1024 * 1024, 'x');

let server: FastifyInstance;
const ended: string[] = [];
beforeAll(async () => {
  server = fastify();
  endStalledAnswers(server, afterMs);
  server.addHook('onRequest', (request, _reply, done) => {
    request.raw.socket.once('close', () => ended.push(request.url));
    done();
  });
  server.get('/large', async () => large);
  server.get('/small', async () => 'small');
  server.get('/late', async () => {
    await delay(4 * afterMs);
    return 'late';
  });
  server.get('/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200).write('begun');
    setTimeout(() => reply.raw.end('done'), 4 * afterMs);
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

function asksOf(target: FastifyInstance, ...paths: readonly string[]): Socket {
  const socket = connect((target.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  return socket;
}
const asks = (...paths: readonly string[]): Socket => asksOf(server, ...paths);

/** Returns the text up to `end`. */
async function readTo(socket: Socket, end: string): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes(end)) return text;
  }
  throw new Error('the connection ended');
}

test('a connection whose client reads nothing of its answer is closed', async () => {
  const socket = asks('/large?unread');
  await until('the connection is ended', () => ended.includes('/large?unread'));
  expect(socket.bytesRead).toBeLessThan(large.length);
  socket.destroy();
});

test('an answer that is read slowly is sent to its end', async () => {
  // Long enough for the client to read in time on a busy machine, and shorter than the pauses together.
  const patientMs = 2_000;
  const patient = fastify();
  endStalledAnswers(patient, patientMs);
  patient.get('/large', async () => large);
  await patient.listen({ port: 0, host: '127.0.0.1' });
  const socket = asksOf(patient, '/large');
  const begun = performance.now();
  let bytes = 0;
  let paused = 0;
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length;
    if (bytes >= large.length) break;
    if (bytes < paused * 1024 * 1024) continue;
    paused += 1;
    await delay(patientMs / 30);
  }
  await patient.close();
  expect(bytes).toBeGreaterThanOrEqual(large.length);
  expect(performance.now() - begun).toBeGreaterThan(patientMs);
});

test('the time in which a request is handled does not count, even after other answers of its connection', async () => {
  const socket = asks('/small', '/late');
  expect(await readTo(socket, 'late')).toContain('small');
  await delay(4 * afterMs);
  socket.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n');
  await readTo(socket, 'late');
  socket.destroy();
});

test('an answer that was taken from the framework has its own rules', async () => {
  const socket = asks('/small', '/stream');
  expect(await readTo(socket, 'done')).toContain('begun');
  socket.destroy();
});
