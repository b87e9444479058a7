import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string>>;
interface NotedRequest {
  note(name: string, url: string): void;
  forget(): void;
}
const file = new URL('../../../deploy/local/distributed/projections.mjs', import.meta.url).href;
const { NotedProjections, projectionFile, projectionPort } = (await import(file)) as {
  NotedProjections: new (env: Environment) => NotedRequest;
  projectionFile(env: Environment): string;
  projectionPort(env: Environment): Promise<Environment>;
};

let DATA_DIR: string;
let env: Environment;
const servers: Server[] = [];
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'projections-'));
  env = { DATA_DIR, HEALTH_PORT: '8080' };
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(DATA_DIR, { recursive: true });
});

/** Its `GET /health` names the stage. */
async function startServer(stage = 'projection'): Promise<string> {
  const health = JSON.stringify({ details: { [stage]: { status: 'down' } } });
  const server = createServer((_request, response) => response.writeHead(503).end(health)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(['http://127.0.0.1:1', 'http://[::1]:1'])(
  'a rebuild asks the projection that was started at %s, whatever HEALTH_PORT says, and whether it answers or not',
  async (url) => {
    await writeFile(projectionFile(env), url);
    expect({ ...env, ...(await projectionPort(env)) }).toEqual({ DATA_DIR, HEALTH_PORT: '1' });
  },
);

test('a rebuild uses HEALTH_PORT when no projection was started here', async () => {
  expect({ ...env, ...(await projectionPort(env)) }).toEqual(env);
});

test('when one of two launchers on a directory stops, the projection of the other is still found', async () => {
  for (const stops of [0, 1]) {
    const launchers = [new NotedProjections(env), new NotedProjections(env)] as const;
    const urls = [await startServer(), await startServer()] as const;
    for (const i of [0, 1] as const) launchers[i].note('projection', urls[i]);
    launchers[stops]?.forget();
    expect(await projectionPort(env)).toEqual({ HEALTH_PORT: new URL(urls[stops === 0 ? 1 : 0]).port });
    launchers[stops === 0 ? 1 : 0].forget();
    await expect(readFile(projectionFile(env))).rejects.toThrow('ENOENT');
  }
});

test('the entry of a killed launcher is ignored, even if another process has its port, and a restarted process is noted once', async () => {
  const killed = new NotedProjections(env);
  killed.note('projection', 'http://127.0.0.1:1');
  const [first, second] = [await startServer(), await startServer()];
  const launcher = new NotedProjections(env);
  launcher.note('projection', first);
  launcher.note('projection', second);
  expect(await readFile(projectionFile(env), 'utf8')).toBe(`http://127.0.0.1:1\n${second}\n`);
  await writeFile(projectionFile(env), `${second}\nhttp://127.0.0.1:1\n${await startServer('delivery')}\n`);
  expect(await projectionPort(env)).toEqual({ HEALTH_PORT: new URL(second).port });
});

test("launchers that note their projections at the same moment leave each other's", async () => {
  const noting = `
    const { NotedProjections } = await import(process.argv[1]);
    const noted = new NotedProjections({ DATA_DIR: process.argv[2] });
    process.stdout.write('ready');
    await new Promise((begin) => process.stdin.once('data', begin));
    for (let n = 0; n < 10; n++) noted.note('projection.' + n, 'http://127.0.0.1:' + (Number(process.argv[3]) + n));
    process.exit();
  `;
  const ports = [1_000, 2_000, 3_000, 4_000];
  const launchers = ports.map((port) =>
    spawn(process.execPath, ['--input-type=module', '-e', noting, file, DATA_DIR, String(port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(launchers.map(({ stdout }) => once(stdout, 'data')));
  const ended = launchers.map((launcher) => once(launcher, 'exit'));
  for (const { stdin } of launchers) stdin.write('begin');
  expect(await Promise.all(ended)).toEqual(ports.map(() => [0, null]));
  const urls = (await readFile(projectionFile(env), 'utf8')).trim().split('\n').toSorted();
  expect(urls).toEqual(ports.flatMap((port) => Array.from({ length: 10 }, (_, n) => `http://127.0.0.1:${port + n}`)));
  expect(await readdir(DATA_DIR)).toEqual(['projection-url']);
});

test('the lock of a launcher that was killed while writing does not block others for long', async () => {
  await writeFile(`${projectionFile(env)}.lock`, '');
  new NotedProjections(env).note('projection', 'http://127.0.0.1:1');
  expect(await projectionPort(env)).toEqual({ HEALTH_PORT: '1' });
  expect(await readdir(DATA_DIR)).toEqual(['projection-url']);
});
