import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/processes/free-port.ts';

interface Server {
  pid(): number | undefined;
  start(command: () => readonly string[]): Promise<void>;
  stop(): Promise<boolean>;
}

const file = new URL('../../../deploy/local/engines/server.mjs', import.meta.url).href;
const { Server } = (await import(file)) as {
  Server: new (options: { name: string; dir: string; port: number; ask: string }) => Server;
};

let dir: string;
let server: Server;
let port: number;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'server-'));
  port = await freePort();
  server = new Server({ name: 'Echo', dir, port, ask: 'hello' });
});
afterEach(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

/** The command of a server that logs a word and echoes whatever it receives. */
const echo = (word: string) => () => {
  const script = `console.log('${word}'); net.createServer((it) => it.pipe(it)).listen(${port}, '127.0.0.1')`;
  return [process.execPath, '-e', script];
};

test('each start begins a new log and keeps the previous one', async () => {
  for (const word of ['first', 'second', 'third']) {
    await server.start(echo(word));
    expect(await server.stop()).toBe(true);
  }
  expect(readFileSync(join(dir, 'server.log'), 'utf8')).toBe('third\n');
  expect(readFileSync(join(dir, 'server.log.old'), 'utf8')).toBe('second\n');
});

test('stop succeeds when the server has just ended by itself', async () => {
  const pids = [2 ** 22 + 1];
  server.pid = () => pids.pop();
  expect(await server.stop()).toBe(true);
});
