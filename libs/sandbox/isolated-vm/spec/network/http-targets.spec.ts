import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';

jest.setTimeout(40_000);

let server: Server;
let port: number;
const asks: string[] = [];
let sandbox: IsolatedVmSandbox;

beforeAll(async () => {
  server = createServer(({ url, headers }, response) => {
    asks.push(url ?? '');
    response.setHeader('set-cookie', 'sid=42');
    if (url !== '/late') response.end(JSON.stringify({ url, cookie: headers.cookie }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, egress: { allow: ['127.0.0.0/8'] } });
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const setup = `
  const asked = (options) => new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, ...options }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part)).on('end', () => resolve(JSON.parse(text))).on('error', reject);
    });
    request.on('error', reject);
  });
  const failed = (options) => asked(options).then(() => 'answered', (error) => [error.code, error.message]);`;

async function valueOf(body: string): Promise<unknown> {
  const code = source(`const port = ${port}; ${setup} ${body}`, "const http = require('http');");
  const { emits } = await invoke(sandbox, code);
  return emits[0]?.event;
}

test('a path is asked for as it is written, and a proxy is asked for a whole URL', async () => {
  const paths = ["/it's/../a/./b//c?q='d'&r={e}|f", 'bare', 'https://api.example.com/a?b=c'];
  expect(
    await valueOf(`
    const urls = [];
    for (const path of ${JSON.stringify(paths)}) urls.push((await asked({ path })).url);
    this.$emit(urls);`),
  ).toEqual([paths[0], '/bare', paths[2]]);
});

test('what is given in place of a callback is refused', async () => {
  expect(
    await valueOf(`
    try { http.get({ host: '127.0.0.1', port }, {}); } catch (error) { this.$emit(error.name); }`),
  ).toBe('TypeError');
});

test('a request that ends as soon as it has its connection is sent once', async () => {
  const value = await valueOf(`
    await new Promise((resolve) => {
      const request = http.request({ host: '127.0.0.1', port, path: '/once', method: 'POST', agent: new http.Agent() });
      request.on('response', (response) => response.on('end', resolve).resume());
      request.once('socket', () => { request.write('a'); request.end(); });
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    this.$emit('answered');`);
  expect(value).toBe('answered');
  expect(asks.filter((url) => url === '/once')).toHaveLength(1);
});

test('an agent that hands the request to another one lets it go', async () => {
  const value = await valueOf(`
    const net = require('net');
    class ByNoProxy extends http.Agent {
      createSocket(request, options, done) {
        new net.Socket({ writable: false }).destroy();
        Promise.resolve().then(() => new http.Agent().addRequest(request, options)).catch(done);
      }
    }
    const connect = () => { try { new net.Socket().connect(1); } catch (error) { return error.message; } };
    this.$emit([await asked({ agent: new ByNoProxy({ maxSockets: 5 }), path: '/' }), connect()]);`);
  expect(value).toEqual([
    { url: '/' },
    'net.Socket.connect is not available to components: they have HTTP, and no sockets',
  ]);
});

test('an agent may add header fields to a request, and read its answer', async () => {
  expect(
    await valueOf(`
    class CookieAgent extends http.Agent {
      jar;
      addRequest(request, options) {
        const { emit, _implicitHeader } = request;
        request._implicitHeader = () => {
          if (this.jar) request.setHeader('Cookie', this.jar);
          _implicitHeader.call(request);
        };
        request.emit = (name, ...given) => {
          if (name === 'response') this.jar = given[0].headers['set-cookie'][0];
          return emit.call(request, name, ...given);
        };
        super.addRequest(request, options);
      }
    }
    const agent = new CookieAgent();
    this.$emit([await asked({ agent, path: '/' }), await asked({ agent, path: '/' })]);`),
  ).toEqual([{ url: '/' }, { url: '/', cookie: 'sid=42' }]);
});

test('an agent that connects by other means fails with the reason, and nothing is sent around it', async () => {
  expect(
    await valueOf(`
    const net = require('net');
    class ByProxy extends http.Agent {
      get protocol() { return 'http:'; }
      set protocol(_value) {}
      createSocket(request, options, done) {
        Promise.resolve().then(() => net.connect(3128, 'proxy.example.com')).then((socket) => done(null, socket), done);
      }
    }
    class ByTunnel extends http.Agent {
      createConnection({ host }, done) {
        http.request({ method: 'CONNECT', host: '127.0.0.1', port, path: host + ':443' }).on('error', done).end();
      }
    }
    class Own extends http.Agent {
      createConnection() { return { write() {} }; }
    }
    this.$emit(await Promise.all([ByProxy, ByTunnel, Own].map((Class) => failed({ agent: new Class(), path: '/' }))));`),
  ).toEqual([
    ['ERR_NOT_AVAILABLE', expect.stringContaining('net.connect is not available to components')],
    ['ERR_INVALID_REQUEST', 'The method is not one that can be sent'],
    ['ERR_NOT_AVAILABLE', expect.stringContaining('components have HTTP, and no sockets')],
  ]);
});

test('an agent that tells the request itself why it has no connection is all that tells it', async () => {
  const value = await valueOf(`
    class Own {
      addRequest(request) { queueMicrotask(() => request.emit('error', new Error('no tunnel'))); }
    }
    const seen = [];
    const request = http.get({ host: '127.0.0.1', port, path: '/', agent: new Own() });
    request.on('error', (error) => { seen.push(error.message); request.destroy(); }).on('close', () => seen.push('close'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    this.$emit(seen);`);
  expect(value).toEqual(['no tunnel', 'close']);
});

test("an agent sets up the connection that stands for the host's, and may refuse it", async () => {
  expect(
    await valueOf(`
    class Watching extends http.Agent {
      createSocket(request, options, done) {
        return super.createSocket(request, options, (error, socket) => {
          socket.setTimeout(300, () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ERR_SOCKET_TIMEOUT' })));
          done(error, socket);
        });
      }
      createConnection(options) {
        if (options.path === '/private') throw new Error('private');
        return super.createConnection(options);
      }
    }
    const agent = new Watching({ keepAlive: true, maxSockets: 5 });
    const names = [agent.getName({ host: 'a', port: 1 }), new http.Agent().getName({ family: 4 })];
    this.$emit([await asked({ agent, path: '/' }), await failed({ agent, path: '/late' }), await failed({ agent, path: '/private' }), names]);`),
  ).toEqual([{ url: '/' }, ['ERR_SOCKET_TIMEOUT', 'no answer'], [null, 'private'], ['a:1:', 'localhost:::4']]);
});
