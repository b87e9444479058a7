import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net';
import { EgressGuard } from '../../egress/index.ts';
import { webhookContract, type Receiver } from '../webhook.contract.ts';
import { UndiciWebhook } from './undici-webhook.ts';

const loopback = new EgressGuard(['127.0.0.0/8']);
/** Long enough for an answer on loopback, short enough to wait for. */
const totalTimeoutMs = 300;

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

type Answering = Parameters<Receiver['answers']>[0];

function answer(how: Answering, response: ServerResponse): void {
  if (how === 'silent') return;
  if (how === 'closing') {
    response.destroy();
    return;
  }
  if (how.retryAfter !== undefined) response.setHeader('retry-after', how.retryAfter);
  response.setHeader('location', '/elsewhere');
  response.writeHead(how.status).end(how.body ?? '');
}

webhookContract('UndiciWebhook', async () => {
  let how: Answering = { status: 200 };
  const received: { body: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      received.push({ body, headers: request.headers });
      answer(how, response);
    });
  });
  const url = `${await listening(server)}/hook?a=1`;
  // Few enough that a busy machine opens them within the time of an attempt.
  const webhook = new UndiciWebhook({ guard: loopback, totalTimeoutMs, connectionsMax: 16 });
  return {
    webhook,
    receiver: {
      url,
      received,
      answers: (next) => {
        how = next;
      },
    },
    end: async () => {
      await webhook.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
});

describe('UndiciWebhook', () => {
  const ends: (() => Promise<unknown>)[] = [];
  const webhookWith = (guard: EgressGuard, connectionsMax = 16): UndiciWebhook => {
    const webhook = new UndiciWebhook({ guard, totalTimeoutMs, connectionsMax });
    ends.push(() => webhook.close());
    return webhook;
  };
  /** A receiver that writes raw bytes at each connection's first data. */
  const raw = async (write: (socket: import('node:net').Socket) => void): Promise<string> => {
    const sockets = new Set<import('node:net').Socket>();
    const server = createSocketServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).once('data', () => write(socket));
    });
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return listening(server);
  };
  const post = (webhook: UndiciWebhook, url: string) => webhook.post({ url, headers: {}, body: '{}' });

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test('a private address is refused, by number and by name, without a connection', async () => {
    let connections = 0;
    const url = await raw(() => connections++);
    const { port } = new URL(url);
    const webhook = webhookWith(new EgressGuard());
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost']) {
      const outcome = await post(webhook, `http://${host}:${port}/`);
      expect(outcome).toMatchObject({ kind: 'failed', failure: 'address_refused' });
    }
    expect(connections).toBe(0);
  });

  test('the first request on a connection reports the times of opening it, the next one none', async () => {
    const server = createServer((_, response) => response.end('ok'));
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = new URL(await listening(server));
    const named = new EgressGuard(
      ['127.0.0.0/8'],
      {},
      {
        resolve: (_, done) => setTimeout(() => done(null, [{ address: '127.0.0.1', family: 4 }]), 20),
      },
    );
    const webhook = webhookWith(named);
    const { trace } = await post(webhook, `http://receiver.example:${port}/`);
    expect(trace).toMatchObject({ connectMs: expect.any(Number) });
    expect(trace.dnsMs).toBeGreaterThan(15);
    expect(trace.totalMs).toBeGreaterThanOrEqual(trace.dnsMs ?? NaN);
    expect(trace).not.toHaveProperty('tlsMs');
    // In the turn in which an answer ends its connection is not free yet.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const again = await post(webhook, `http://receiver.example:${port}/`);
    expect(again.trace).toEqual({ firstByteMs: expect.any(Number) });
    const literal = await post(webhook, `http://127.0.0.1:${port}/`);
    expect(literal.trace).toMatchObject({ address: `127.0.0.1:${port}`, connectMs: expect.any(Number) });
    expect(literal.trace).not.toHaveProperty('dnsMs');
  });

  test('a workspace whose names are never answered does not keep those of another one waiting', async () => {
    const server = createServer((_, response) => response.end('ok'));
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = new URL(await listening(server));
    const lookedUp: string[] = [];
    const answers: (() => void)[] = [];
    const named = new EgressGuard(
      ['127.0.0.0/8'],
      {},
      {
        resolve: (hostname, done) => {
          lookedUp.push(hostname);
          const found = (): void => done(null, [{ address: '127.0.0.1', family: 4 }]);
          if (hostname === 'receiver.example') found();
          else answers.push(found);
        },
      },
    );
    const webhook = webhookWith(named);
    const aborting = new AbortController();
    const of = (workspace: string, host: string) => ({
      url: `http://${host}:${port}/`,
      workspace,
      headers: {},
      body: '',
    });
    const hanging = Array.from({ length: 100 }, (_, n) =>
      webhook.post(of('o_1', `hanging-${n}.example`), aborting.signal),
    );
    expect(await webhook.post(of('o_2', 'receiver.example'))).toMatchObject({ kind: 'answered', status: 200 });
    expect(lookedUp).toHaveLength(6);
    aborting.abort();
    for (const found of answers) found();
    await Promise.all(hanging);
  });

  test('an attempt without a connection reports how far it came', async () => {
    const closedServer = createSocketServer();
    const { port } = new URL(await listening(closedServer));
    await new Promise((resolve) => closedServer.close(resolve));
    const resolves = new EgressGuard(
      ['127.0.0.0/8'],
      {},
      {
        resolve: (_, done) => setTimeout(() => done(null, [{ address: '127.0.0.1', family: 4 }]), 20),
      },
    );
    const { trace } = await post(webhookWith(resolves), `http://gone.example:${port}/`);
    expect(trace).toMatchObject({ dnsMs: expect.any(Number) });
    expect(trace).not.toHaveProperty('address');
    expect(trace).not.toHaveProperty('connectMs');
    expect(trace).not.toHaveProperty('firstByteMs');
    const literal = await post(webhookWith(new EgressGuard(['127.0.0.0/8'])), `http://127.0.0.1:${port}/`);
    expect(literal).toMatchObject({ failure: 'connect', trace: { address: `127.0.0.1:${port}` } });
    expect(literal.trace).not.toHaveProperty('connectMs');
  });

  test('an answer that arrives bit by bit is cut off at the total time', async () => {
    let drips = 0;
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => (drips++, socket.write('x')), 20);
      socket.once('close', () => clearInterval(timer));
    });
    const outcome = await post(webhookWith(loopback), url);
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'timeout' });
    expect(drips).toBeGreaterThan(1);
    expect(drips).toBeLessThan(1_000);
  });

  test('the time limit of an attempt counts from when it gets a connection', async () => {
    /** For each connection, the number of attempts that had ended when it was opened. */
    const endedBefore: number[] = [];
    let ended = 0;
    const url = await raw(() => endedBefore.push(ended));
    const webhook = webhookWith(loopback, 2);
    const attempt = () => post(webhook, url).finally(() => ended++);
    const attempts = [attempt(), attempt()];
    const begun = performance.now();
    const waiting = attempt();
    await Promise.all(attempts);
    expect(await waiting).toMatchObject({ kind: 'failed', failure: 'timeout' });
    const elapsedMs = performance.now() - begun;
    expect((await waiting).durationMs).toBeLessThan(elapsedMs - totalTimeoutMs / 2);
    expect(endedBefore).toEqual([0, 0, expect.any(Number)]);
    expect(endedBefore[2]).toBeGreaterThan(0);
  });

  /** A receiver that sends `head` and then `more` without end; how much of it went out. */
  const flooding = async (head: string, more: string): Promise<{ url: string; sent: () => number }> => {
    let bytes = 0;
    const chunk = Buffer.from(more.repeat(Math.ceil(65_536 / more.length)));
    const url = await raw((socket) => {
      socket.write(head);
      const go = (): void => {
        while (!socket.destroyed && bytes < 100_000_000) {
          bytes += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', go);
      go();
    });
    return { url, sent: () => bytes };
  };
  /** What the kernel takes of either side before a byte is read. */
  const socketBuffersBytes = 10_000_000;

  test.each([
    ['a status line', 'HTTP/1.1 200 ', 'a'],
    ['empty lines', '', '\n'],
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('an answer that begins with %s without end is given up as too long', async (_, head, more) => {
    const { url, sent } = await flooding(head, more);
    expect(await post(webhookWith(loopback), url)).toMatchObject({
      kind: 'failed',
      failure: 'answer_too_long',
      message: expect.stringContaining('64 KiB') as string,
    });
    expect(sent()).toBeLessThan(socketBuffersBytes);
  });

  test.each([
    ['a body', 'HTTP/1.1 200 OK\r\n\r\n', 'a'],
    ['a chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'a'],
    ['empty lines after the answer', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', '\n'],
  ])('after %s without end the status counts, and the connection is closed', async (_, head, more) => {
    const { url, sent } = await flooding(head, more);
    expect(await post(webhookWith(loopback), url)).toMatchObject({
      kind: 'answered',
      status: 200,
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent()).toBeLessThan(socketBuffersBytes);
  });

  test('interim answers are passed over, 100 among them, and the connection is used again', async () => {
    let connections = 0;
    const url = await raw((socket) => {
      connections++;
      const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
      const answers = (): boolean => socket.write(`${interim}HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok`);
      socket.on('data', answers);
      answers();
    });
    const webhook = webhookWith(loopback);
    for (let n = 0; n < 2; n++) {
      const outcome = await post(webhook, url);
      expect(outcome).toMatchObject({
        kind: 'answered',
        status: 201,
        answer: 'ok',
        headers: { 'content-length': '2' },
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(connections).toBe(1);
  });

  describe('when the receiver closes a connection that it has answered on before', () => {
    const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    /** Answers the first request of each connection; `then` has the second one on the first connection. */
    const closing = async (then: (socket: import('node:net').Socket) => void) => {
      const requests: number[] = [];
      const url = await raw((socket) => {
        const connection = requests.push(1);
        socket.write(ok);
        socket.on('data', () => {
          requests[connection - 1] = (requests[connection - 1] ?? 0) + 1;
          then(socket);
        });
      });
      const webhook = webhookWith(loopback);
      expect(await post(webhook, url)).toMatchObject({ status: 200 });
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { outcome: await post(webhook, url), requests };
    };

    test.each(['destroy', 'resetAndDestroy'] as const)(
      'the request is made once more on a new one (%s)',
      async (how) => {
        const { outcome, requests } = await closing((socket) => socket[how]());
        expect(outcome).toMatchObject({
          kind: 'answered',
          status: 200,
          answer: 'ok',
        });
        expect(outcome.trace).toMatchObject({ connectMs: expect.any(Number) });
        expect(requests).toEqual([2, 1]);
      },
    );

    test('it is not made again once a byte of an answer has come', async () => {
      const { outcome, requests } = await closing((socket) => socket.end('H'));
      expect(outcome).toMatchObject({ kind: 'failed' });
      expect(requests).toEqual([2]);
    });

    test('the first and the repeated request share one time limit', async () => {
      let connections = 0;
      const url = await raw((socket) => {
        if (++connections > 1) return;
        socket.write(ok);
        socket.on('data', () => setTimeout(() => socket.destroy(), totalTimeoutMs / 2));
      });
      const webhook = webhookWith(loopback);
      await post(webhook, url);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const outcome = await post(webhook, url);
      expect(outcome).toMatchObject({ kind: 'failed', failure: 'timeout' });
      expect(outcome.durationMs).toBeLessThan(1.4 * totalTimeoutMs);
      expect(connections).toBe(2);
    });
  });

  test('a receiver that closes every connection fails the attempt', async () => {
    let connections = 0;
    const url = await raw((socket) => {
      connections++;
      socket.destroy();
    });
    expect(await post(webhookWith(loopback), url)).toMatchObject({
      kind: 'failed',
      failure: 'closed',
    });
    expect(connections).toBe(1);
  });

  test('an answer that is not HTTP is a protocol failure, and a truncated body a closed connection', async () => {
    const webhook = webhookWith(loopback);
    const nonsense = await raw((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
    expect(await post(webhook, nonsense)).toMatchObject({ kind: 'failed', failure: 'protocol' });
    const zero = await raw((socket) => socket.end('HTTP/1.1 000 No\r\ncontent-length: 0\r\n\r\n'));
    const outcome = await post(webhook, zero);
    expect(outcome).toMatchObject({
      failure: 'protocol',
      message: expect.stringMatching(/: The answer does not match/),
    });
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n';
    const switched = await raw((socket) => socket.write(upgrade));
    expect(await post(webhook, switched)).toMatchObject({
      failure: 'protocol',
      message: expect.stringContaining('switches protocols (101)'),
    });
    const cut = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'));
    expect(await post(webhook, cut)).toMatchObject({ kind: 'failed', failure: 'closed' });
  });

  test('a refused connection, an unknown name and a server without TLS have different failures', async () => {
    const webhook = webhookWith(loopback);
    const closedServer = createSocketServer();
    const url = await listening(closedServer);
    await new Promise((resolve) => closedServer.close(resolve));
    expect(await post(webhook, url)).toMatchObject({ kind: 'failed', failure: 'connect' });
    const unknown = webhookWith(
      new EgressGuard(
        [],
        {},
        { resolve: (_, done) => done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []) },
      ),
    );
    expect(await post(unknown, 'http://nowhere.example/')).toMatchObject({ kind: 'failed', failure: 'dns' });
    const plain = await raw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await post(webhook, plain.replace('http:', 'https:'))).toMatchObject({
      kind: 'failed',
      failure: 'tls',
      message: expect.stringMatching(/: fails at TLS \(.*wrong version number\)$/) as string,
    });
  });

  test('a message does not say to which private address a name leads', async () => {
    const guard = new EgressGuard(
      [],
      {},
      {
        resolve: (_, done) => done(null, [{ address: '10.1.2.3', family: 4 }]),
      },
    );
    const outcome = await post(webhookWith(guard), 'http://intranet.example/');
    expect(outcome).toMatchObject({
      failure: 'address_refused',
      message: expect.stringMatching(/^intranet\.example: intranet\.example leads to an address that is not public/),
    });
    expect(JSON.stringify(outcome)).not.toContain('10.1.2.3');
  });

  describe('where the operator lets a name lead to a private address', () => {
    /** A port on which nobody listens. */
    const closedPort = async (): Promise<number> => {
      const closedServer = createSocketServer();
      const { port } = new URL(await listening(closedServer));
      await new Promise((resolve) => closedServer.close(resolve));
      return Number(port);
    };
    const leading = (port: number): readonly (readonly [what: string, webhook: UndiciWebhook, url: string])[] => {
      const target = { address: '127.0.0.1', port };
      const resolve = (_: string, done: (error: null, found: { address: string; family: number }[]) => void): void =>
        done(null, [{ address: '127.0.0.1', family: 4 }]);
      const named = new EgressGuard(['127.0.0.0/8'], {}, { resolve });
      const mapped = new EgressGuard([], { 'intranet.example': target, '192.0.2.1': target });
      return [
        ['a name', webhookWith(named), `http://intranet.example:${port}/`],
        ['a mapped name', webhookWith(mapped), 'http://intranet.example/'],
        ['a mapped address', webhookWith(mapped), 'http://192.0.2.1/'],
      ];
    };

    test('neither a failed attempt nor its message tells the address, but why it failed', async () => {
      for (const [, webhook, url] of leading(await closedPort())) {
        const outcome = await post(webhook, url);
        const { host } = new URL(url);
        expect(outcome).toMatchObject({ failure: 'connect', message: `${host}: refuses connections (ECONNREFUSED)` });
        expect(outcome.trace).not.toHaveProperty('address');
        expect(JSON.stringify(outcome)).not.toContain('127.0.0.1');
      }
    });

    test('an attempt that is answered does not tell the address', async () => {
      const server = createServer((_, response) => response.end('ok'));
      ends.push(() => new Promise((resolve) => server.close(resolve)));
      for (const [, webhook, url] of leading(Number(new URL(await listening(server)).port))) {
        const outcome = await post(webhook, url);
        expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
        expect(outcome.trace).not.toHaveProperty('address');
      }
    });

    test('a name of the target that does not resolve is not told', async () => {
      const mapped = new EgressGuard([], { 'api.example': { address: 'gateway.invalid', port: 80 } });
      const outcome = await post(webhookWith(mapped), 'http://api.example/');
      expect(outcome).toMatchObject({
        kind: 'failed',
        failure: 'dns',
        message: expect.stringMatching(/^api\.example: /),
      });
      expect(JSON.stringify(outcome)).not.toContain('gateway');
    });
  });

  test('a message names the host but not the path, which may hold a secret', async () => {
    const outcome = await post(webhookWith(new EgressGuard()), 'http://127.0.0.1:9/T0/hush?token=hush');
    expect(outcome).toMatchObject({ message: expect.stringContaining('127.0.0.1:9') as string });
    expect(JSON.stringify(outcome)).not.toContain('hush');
  });

  test.each(['', 'nonsense', 'ftp://receiver.example/', 'file:///etc/passwd'])(
    'the invalid URL %j gives a failed outcome',
    async (url) => {
      expect(await post(webhookWith(loopback), url)).toMatchObject({ kind: 'failed', failure: 'protocol' });
    },
  );

  test('a header that cannot be sent gives a failed outcome', async () => {
    const outcome = await webhookWith(loopback).post({
      url: 'http://127.0.0.1:9/',
      headers: { 'x-bad': 'a\nb' },
      body: '',
    });
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'protocol' });
  });
});
