import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { restrictToOperator } from './operator-route.ts';

const key = 'pd_operator';
let server: FastifyInstance;
let dataDir: string;
const acted: unknown[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'operator-'));
  await writeFile(join(dataDir, 'api-key'), `${key}\n`);
  server = fastify();
  restrictToOperator(server, '/act', dataDir);
  server.post('/act', async ({ body }) => acted.push(body));
  server.post('/other', async ({ body }) => body);
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server?.close();
  await rm(dataDir, { recursive: true });
});

/** Sends only a head that announces a body, keeps the connection open, and returns the status. */
async function announced(header: string, body: string): Promise<number> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST /act HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}${body}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(answer.toString().split(' ', 2)[1]);
}

test.each(['content-length: 60000', 'transfer-encoding: chunked'])(
  'a stranger is refused before a byte of the body is read, of the header %s',
  async (body) => {
    expect(await announced('', body)).toBe(401);
    expect(await announced('authorization: Bearer pd_other\r\n', body)).toBe(401);
  },
);

test('the operator sends no body', async () => {
  expect(await announced(`authorization: Bearer ${key}\r\n`, 'content-length: 60000')).toBe(413);
  const headers = { authorization: `Bearer ${key}` };
  const large = await server.inject({ method: 'POST', url: '/act', headers, payload: { a: 'x'.repeat(1_000) } });
  expect(large.statusCode).toBe(413);
  expect(acted).toEqual([]);
  expect((await server.inject({ method: 'POST', url: '/act', headers })).statusCode).toBe(200);
  expect(acted).toHaveLength(1);
});

test('other routes stay as they are', async () => {
  expect((await server.inject({ method: 'POST', url: '/other', payload: { a: 1 } })).json()).toEqual({ a: 1 });
});
