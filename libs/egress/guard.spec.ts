import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressGuard } from './guard.ts';

type Connect = ReturnType<EgressGuard['connector']>;

let server: Server;
let port: string;

beforeAll(async () => {
  server = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = String((server.address() as AddressInfo).port);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const address = (text: string): LookupAddress => ({ address: text, family: text.includes(':') ? 6 : 4 });

/** Connects, and returns the error's code, or the address that was dialled. */
function dial(connect: Connect, hostname: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    connect({ hostname, host: hostname, protocol: 'http:', port }, (error, socket) => {
      resolve(error === null ? socket.remoteAddress : (error as NodeJS.ErrnoException).code);
      socket?.destroy();
    });
  });
}

const resolving = (addresses: readonly string[]) => {
  const lookedUp: string[] = [];
  const resolve = (hostname: string, done: (error: Error | null, found: LookupAddress[]) => void): void => {
    lookedUp.push(hostname);
    setImmediate(() => done(null, addresses.map(address)));
  };
  return { asked: lookedUp, resolve };
};

test('the connection goes to the address that was checked', async () => {
  const { asked: lookedUp, resolve } = resolving(['127.0.0.1']);
  const connect = new EgressGuard(['127.0.0.0/8'], {}, { resolve }).connector();
  expect(await dial(connect, 'receiver.example')).toBe('127.0.0.1');
  expect(lookedUp).toEqual(['receiver.example']);
});

test('a name with any refused address is refused', async () => {
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '10.0.0.1'],
    ['::1', '8.8.8.8'],
    ['8.8.8.8', '::ffff:10.0.0.1'],
  ]) {
    const connect = new EgressGuard([], {}, { resolve: resolving(addresses).resolve }).connector();
    expect(await dial(connect, 'mixed.example')).toBe('ADDRESS_REFUSED');
  }
});

test('the resolver is asked for each connection, so a rebound name is refused', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const guard = new EgressGuard(
    ['127.0.0.1/32'],
    {},
    {
      resolve: (_, done) => done(null, (answers.shift() ?? []).map(address)),
    },
  );
  const connect = guard.connector();
  expect(await dial(connect, 'rebinding.example')).toBe('127.0.0.1');
  expect(await dial(connect, 'rebinding.example')).toBe('ADDRESS_REFUSED');
});

test('a literal address is refused without asking the resolver, in brackets too', async () => {
  const { asked: lookedUp, resolve } = resolving(['8.8.8.8']);
  const connect = new EgressGuard([], {}, { resolve }).connector();
  for (const literal of ['127.0.0.1', '::1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254']) {
    expect(await dial(connect, literal)).toBe('ADDRESS_REFUSED');
  }
  expect(lookedUp).toEqual([]);
});

test('a name that does not resolve fails with ENOTFOUND', async () => {
  const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  expect(
    await dial(new EgressGuard([], {}, { resolve: (_, done) => done(failure, []) }).connector(), 'gone.example'),
  ).toBe('ENOTFOUND');
  expect(
    await dial(new EgressGuard([], {}, { resolve: (_, done) => done(null, []) }).connector(), 'empty.example'),
  ).toBe('ENOTFOUND');
});

test('connections that open together ask the resolver once', async () => {
  const { asked: lookedUp, resolve } = resolving(['127.0.0.1']);
  const connect = new EgressGuard(['127.0.0.0/8'], {}, { resolve }).connector();
  await Promise.all([dial(connect, 'a.example'), dial(connect, 'a.example'), dial(connect, 'b.example')]);
  expect(lookedUp).toEqual(['a.example', 'b.example']);
});

test('a host in the map is reached at its target, even a private one; other hosts are not', async () => {
  const { asked: lookedUp, resolve } = resolving(['10.0.0.1']);
  const map = { 'upstream.example': { address: '127.0.0.1', port: Number(port) } };
  const connect = new EgressGuard([], map, { resolve }).connector();
  expect(await dial(connect, 'upstream.example')).toBe('127.0.0.1');
  expect(await dial(connect, 'UPSTREAM.example')).toBe('127.0.0.1');
  expect(await dial(connect, 'upstream.example.')).toBe('127.0.0.1');
  expect(await dial(connect, 'other.example')).toBe('ADDRESS_REFUSED');
  expect(await dial(connect, '127.0.0.1')).toBe('ADDRESS_REFUSED');
  expect(lookedUp).toEqual(['other.example']);
});

test("this machine's public addresses are refused, by number and by name, unless a range or the map names them", async () => {
  const own = '2a00:1450:4001:80e::200e';
  const { resolve } = resolving([own]);
  const interfaces = () => ({ eth0: [{ address: own, cidr: `${own}/64` }] });
  const connect = new EgressGuard(
    [],
    { 'self.example': { address: '127.0.0.1', port: Number(port) } },
    { resolve, interfaces },
  ).connector();
  for (const host of [own, `[${own}]`, '[2a00:1450:4001:80e::1]', 'other.example']) {
    expect(await dial(connect, host)).toBe('ADDRESS_REFUSED');
  }
  expect(await dial(connect, 'self.example')).toBe('127.0.0.1');
});
