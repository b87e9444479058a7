import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';

jest.setTimeout(40_000);

let server: Server;
let port: number;
let sandbox: IsolatedVmSandbox;

beforeAll(async () => {
  server = createServer(({ url, headers }, response) => {
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

const asked = `
  const asked = (options) => new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, ...options }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part)).on('end', () => resolve(JSON.parse(text))).on('error', reject);
    });
    request.on('error', reject);
  });
  const failed = (options) => asked(options).then(() => 'answered', (error) => [error.code, error.message]);`;

async function valueOf(body: string): Promise<unknown> {
  const code = source(`const port = ${port}; ${asked} ${body}`, "const http = require('http');");
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
