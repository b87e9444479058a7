import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const local = new URL('../../../deploy/local/', import.meta.url);
const { run } = (await import(new URL('engines/tools.mjs', local).href)) as {
  run(command: readonly string[], how: { logFile: string; limitMs: number }): Promise<void>;
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tools-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('without tools, `npm run engines` lists all the missing ones and how to install each', () => {
  const env = { PATH: dir, HOME: dir, XDG_CACHE_HOME: dir, XDG_STATE_HOME: dir };
  const ports = ['--kafka-port', '1', '--mongodb-port', '1'];
  const engines = fileURLToPath(new URL('engines.mjs', local));
  const { status, stdout, stderr } = spawnSync(process.execPath, [engines, ...ports], { env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  const told = stderr.split('\n').filter((line) => line !== '');
  expect(told.map((line) => line.split(/: |,/)[0])).toEqual([
    'To run Kafka',
    '  java',
    '  mvn',
    'To build the MongoDB-wire server',
    '  cargo',
    '  cc',
    '  cmake',
    '  ninja',
  ]);
  const advised = told.filter((line) => line.startsWith('  '));
  expect(advised.filter((line) => !/apt-get install|https:/.test(line))).toEqual([]);
});

test('a tool that ends with 0 succeeds, and its output is in the log file', async () => {
  const logFile = join(dir, 'logs', 'tool.log');
  await run([process.execPath, '-e', 'console.log(1); console.error(2)'], { logFile, limitMs: 20_000 });
  expect(readFileSync(logFile, 'utf8')).toBe('1\n2\n');
});

test.each([
  ['fails', 'process.exit(3)', 20_000, 'ended with 3'],
  ['does not end in time', 'setInterval(() => {}, 1_000)', 300, 'did not end within 0.3 s and was killed'],
])('the error about a tool that %s names the file with its output', async (_, script, limitMs, how) => {
  const logFile = join(dir, 'tool.log');
  const command = [process.execPath, '-e', script];
  await expect(run(command, { logFile, limitMs })).rejects.toThrow(
    `${process.execPath} ${how}; its output is in ${logFile}`,
  );
});
