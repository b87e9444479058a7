import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { sizes } from '../../../../domain/sizes.ts';
import { TestBed } from '../../test-bed.fake.ts';

let bed: TestBed;
let port: number;
beforeAll(async () => {
  bed = await TestBed.start();
  await bed.app.listen(0, '127.0.0.1');
  port = (bed.app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => bed?.stop());

async function told(bytes: string): Promise<readonly [statusLine: string, body: unknown]> {
  const socket = connect(port, '127.0.0.1').end(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return [head.split('\r\n', 1)[0] ?? '', JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1))];
}

test.each([
  ['has no Host', 'GET /v1/users/me HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['expects what nobody knows', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: magic\r\nconnection: close\r\n\r\n', 417],
])('a request that %s is refused in the shape of every error', async (_name, bytes, status) => {
  const [statusLine, body] = await told(bytes);
  expect(statusLine).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(body).toEqual({ error: expect.any(String), code: 'invalid_request' });
});

/** Sends all of it, whatever is answered meanwhile, as most clients do. */
function upload(path: string, bytes: number, connection: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { connection, 'content-type': 'application/json', 'content-length': bytes };
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false }, resolve);
    sending.on('error', reject).end(Buffer.alloc(bytes, 'a'));
  });
}

test.each(['close', 'keep-alive'])('a client that sends far too much gets to see why (%s)', async (connection) => {
  for (const path of ['/v1/webhooks', '/e/any']) {
    const answer = await upload(path, 10 * sizes.restBodyBytes, connection);
    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(Buffer.concat(await answer.toArray()).toString())).toMatchObject({ code: 'too_large' });
  }
});
