import { once } from 'node:events';
import { METHODS, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpRequestData } from '../../../domain/component/http/request-data.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { sizes } from '../../../domain/sizes.ts';
import { until } from '../../../../test/support/until.ts';
import { TestBed } from '../test-bed.fake.ts';

let bed: TestBed;
let port: number;
/** The path of a source's endpoint. */
let endpoint: string;
beforeAll(async () => {
  bed = await TestBed.start();
  await bed.app.listen(0, '127.0.0.1');
  port = (bed.app.getHttpServer().address() as AddressInfo).port;
  endpoint = await bed.deployEndpoint();
});
afterAll(() => bed?.stop());

interface Told {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: { readonly error?: string; readonly code?: string };
}

async function answerOn(socket: Socket): Promise<Told> {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    const length = /^content-length: (\d+)\r$/im.exec(text)?.[1];
    const at = text.indexOf('\r\n\r\n');
    if (at !== -1 && length !== undefined && Buffer.byteLength(text.slice(at + 4)) >= Number(length)) break;
  }
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: new Map(headers.map((header) => header.toLowerCase().split(/: (.*)/s, 2) as [string, string])),
    body: body.includes('{')
      ? (JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as Told['body'])
      : {},
  };
}

/** Sends only these bytes and keeps its side of the connection open. */
const told = (bytes: string): Promise<Told> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes, 'latin1');
  return answerOn(socket);
};

const key = (): string => `authorization: Bearer ${bed.apiKey}\r\n`;

test.each([
  ['has no Host', 'GET /v1/users/me HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
  ['has two Host headers', 'GET /v1/users/me HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', 400, 'invalid_request'],
  ['repeats its Host header', 'GET /e/any HTTP/1.1\r\nhost: a\r\nHost: a\r\n\r\n', 400, 'invalid_request'],
  ['has an unknown Expect header', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: magic\r\n\r\n', 417, 'invalid_request'],
  ['has no method', '/v1/users/me HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'invalid_request'],
  ['has headers that are too long', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'too_large'],
  [
    'has a path longer than any id',
    `GET /v1/webhooks/${'x'.repeat(300)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    414,
    'uri_too_long',
  ],
  ['has an invalid path', 'GET /v1/webhooks/% HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'invalid_request'],
  [
    'has a body in another transfer coding',
    'POST /v1/webhooks HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    501,
    'not_implemented',
  ],
  ['asks for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', 404, 'not_found'],
  ['asks for the options of the whole server', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n', 404, 'not_found'],
])('refuses a request that %s with a JSON error', async (_name, bytes, status, code) => {
  const answer = await told(bytes);
  expect([answer.status, answer.body]).toEqual([status, { error: expect.any(String), code }]);
  expect([answer.headers.get('cache-control'), answer.headers.get('x-content-type-options')]).toEqual([
    'no-store',
    'nosniff',
  ]);
});

test.each(['authorization: Bearer x', 'content-type: application/json', 'idempotency-key: x'])(
  'refuses a request with two headers %s, because readers could disagree about which one counts',
  async (header) => {
    const answer = await told(`POST /v1/webhooks HTTP/1.1\r\nhost: x\r\n${header}\r\n${header}\r\n\r\n`);
    const name = header.split(':', 1)[0];
    expect([answer.status, answer.body.error]).toEqual([400, `The header ${name} is given more than once.`]);
  },
);

describe('an unsupported method', () => {
  const methods = ['QUERY', 'PUT', 'PROPFIND', 'M-SEARCH', 'TRACE', 'LOCK', 'FOO', 'get', 'x'.repeat(50)];

  test.each(methods)('%s is answered with 405 and the supported methods', async (method) => {
    for (const body of ['', 'content-length: 2\r\n', 'content-type: x/y\r\ncontent-length: 5\r\n']) {
      const answer = await told(`${method} /v1/webhooks?limit=1 HTTP/1.1\r\nhost: x\r\n${body}\r\n`);
      expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed']);
      expect(answer.headers.get('allow')).toBe('get, head, post');
    }
  });

  test.each(methods)('%s to an unknown path is answered with 404', async (method) => {
    const answer = await told(`${method} /v1/nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n`);
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  const taken = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method));

  test.each(taken)('an endpoint accepts %s and its body', async (method) => {
    const answer = await told(`${method} ${endpoint}/m HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi`);
    expect(answer.status).toBe(200);
    const last = lastRequest();
    expect([last.method, last.bodyBase64]).toEqual([method, 'aGk=']);
  });

  test('an endpoint refuses an unknown HTTP method, and lists those that it accepts', async () => {
    const answer = await told(`FOO ${endpoint} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(['get', 'propfind', 'query']));
  });

  test('an endpoint accepts QUERY, with or without a content type', async () => {
    for (const type of ['', 'content-type: text/x\r\n']) {
      const answer = await told(`QUERY ${endpoint}/q HTTP/1.1\r\nhost: x\r\n${type}content-length: 2\r\n\r\nhi`);
      expect(answer.status).toBe(200);
      const { method, headers, bodyBase64 } = lastRequest();
      expect([method, headers['content-type'], bodyBase64]).toEqual([
        'QUERY',
        type === '' ? undefined : 'text/x',
        'aGk=',
      ]);
    }
  });
});

function lastRequest(): HttpRequestData {
  const triggers = bed.log.records('triggers') as unknown as Trigger[];
  const last = triggers
    .filter(({ data }) => data.kind === 'http')
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  if (last?.data.http === undefined) throw new Error('no request was accepted');
  return last.data.http;
}

describe('a refusal comes before the body', () => {
  test.each([
    ['no key', '/v1/webhooks', '', 401],
    ['an unknown key', '/v1/sources', `authorization: Bearer pd_${'0'.repeat(40)}\r\n`, 401],
    ['an unknown endpoint', '/e/unknown/path', '', 404],
    ['an unknown route', '/v2/nope', '', 404],
    ['an unsupported method', '/v1/users/me', '', 405],
  ])('with %s', async (_name, path, header, status) => {
    for (const length of ['content-length: 2000000', 'transfer-encoding: chunked']) {
      const answer = await told(`POST ${path} HTTP/1.1\r\nhost: x\r\n${header}${length}\r\n\r\n`);
      expect(answer.status).toBe(status);
    }
  });

  test('for a client that sends Expect: 100-continue', async () => {
    const head = (path: string, header = ''): string =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\n${header}expect: 100-continue\r\ncontent-length: 2\r\n\r\n`;
    for (const [path, status] of [
      ['/v1/webhooks', 401],
      ['/e/unknown', 404],
    ] as const) {
      expect((await told(head(path))).status).toBe(status);
    }
    for (const [path, header] of [
      [endpoint, ''],
      ['/v1/webhooks', key()],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      socket.write(head(path, header));
      const [leave] = (await once(socket, 'data')) as [Buffer];
      expect(leave.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('{}');
      expect([200, 400]).toContain((await answerOn(socket)).status);
    }
  });

  test('for a content-length that is too large', async () => {
    for (const [path, bytes] of [
      ['/v1/webhooks', sizes.smallBodyBytes],
      ['/v1/sources', sizes.restBodyBytes],
      [endpoint, sizes.endpointBodyBytes],
    ] as const) {
      const answer = await told(`POST ${path} HTTP/1.1\r\nhost: x\r\n${key()}content-length: ${bytes + 1}\r\n\r\n`);
      expect([answer.status, answer.body]).toEqual([
        413,
        { error: `The body is larger than ${bytes} bytes.`, code: 'too_large' },
      ]);
    }
  });
});

/** Sends the whole body, even if the answer comes earlier, as most clients do. */
function upload(path: string, bytes: number, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'content-length': bytes, ...headers };
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path, headers: all, agent: false }, resolve);
    sending.on('error', reject).end(Buffer.alloc(bytes, 'a'));
  });
}

test.each(['close', 'keep-alive'])(
  'a client that sends far too much still gets the reason (%s)',
  async (connection) => {
    const authorization = `Bearer ${bed.apiKey}`;
    for (const [path, headers, status, code] of [
      ['/v1/webhooks', { authorization }, 413, 'too_large'],
      ['/v1/webhooks', {}, 401, 'unauthorized'],
      [endpoint, {}, 413, 'too_large'],
      ['/e/any', {}, 404, 'not_found'],
      ['/nowhere', {}, 404, 'not_found'],
    ] as const) {
      const answer = await upload(path, 10 * sizes.restBodyBytes, { connection, ...headers });
      const text = Buffer.concat(await answer.toArray()).toString();
      expect([path, answer.statusCode, JSON.parse(text)]).toEqual([path, status, expect.objectContaining({ code })]);
    }
  },
  30_000,
);

describe('the URL of an event has the host of the service and the path that the client wrote', () => {
  const escaped = (): string => endpoint.replace(/[A-Za-z0-9]$/, (last) => `%${last.charCodeAt(0).toString(16)}`);

  test.each([
    ['a whole URL', () => `http://evil.example${endpoint}/x?a=1`, '/x', () => `${endpoint}/x?a=1`],
    ['a whole URL with a user and a port', () => `HTTPS://u:p@evil:99${endpoint}`, '/', () => endpoint],
    ['an escape in the key', () => `${escaped()}/x%2Fy/`, '/x%2Fy/', () => `${escaped()}/x%2Fy/`],
    ['an escape in the prefix', () => `/%65${endpoint.slice(2)}/x`, '/x', () => `/%65${endpoint.slice(2)}/x`],
    ['no path below the endpoint', () => `${endpoint}?a=1`, '/', () => `${endpoint}?a=1`],
    ['repeated slashes', () => `${endpoint}//a//`, '//a//', () => `${endpoint}//a//`],
  ])('for %s', async (_name, target, path, url) => {
    expect((await told(`POST ${target()} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`)).status).toBe(200);
    expect(lastRequest()).toMatchObject({ path, url: `http://test.local${url()}` });
  });

  test.each(['ftp://evil/v1/webhooks', 'evil', 'http:/v1/users/me', 'http://evil/nope', 'http://evil/e'])(
    'refuses the target %s',
    async (target) => {
      const answer = await told(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect([400, 404]).toContain(answer.status);
    },
  );

  test.each(['http://evil', 'http://evil?x=/e/1', 'http:///'])(
    'answers the target %s with the first page',
    async (target) => {
      const answer = await told(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    },
  );
});

test('a connection that keeps sending requests without waiting for answers is closed', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.resume().write(`GET /v1/users/me HTTP/1.1\r\nhost: x\r\n${key()}\r\n`.repeat(1_000));
  await until('the connection is ended', () => socket.closed);
  expect((await bed.call('GET', '/v1/users/me')).status).toBe(200);
});

test('answers forbid caching and guessing of their content type', async () => {
  const made = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  const answers = [made, await bed.send('GET', '/openapi.json'), await bed.send('GET', endpoint)];
  for (const { status, headers } of [...answers, await bed.send('GET', '/v1/webhooks')]) {
    expect([200, 401]).toContain(status);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  }
});

test('a request on an open connection while the service stops is refused in the shape of the API, and can be sent again', async () => {
  const stopping = await TestBed.start();
  await stopping.app.listen(0, '127.0.0.1');
  const socket = connect((stopping.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
  // A connection on which a request has begun is not closed as an idle one.
  socket.write('GET /v1/users/me HTTP/1.1\r\nhost: x\r\n');
  await once(stopping.app.getHttpServer(), 'connection');
  const stopped = stopping.stop();
  const { server } = stopping.app.getHttpAdapter().getInstance();
  await until('it to listen no more', () => !server.listening);
  socket.write('\r\n');
  const { status, headers, body } = await answerOn(socket);
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('connection')).toBe('close');
  await stopped;
});
