import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const local = new URL('../../../deploy/local/', import.meta.url);
const { run } = (await import(new URL('engines/tools.mjs', local).href)) as {
  run(command: readonly string[], how: { logFile: string; limitMs: number }): Promise<void>;
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tools-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a tool that ends well is through', async () => {
  const logFile = join(dir, 'logs', 'tool.log');
  await run([process.execPath, '-e', 'console.log(1); console.error(2)'], { logFile, limitMs: 20_000 });
  expect(readFileSync(logFile, 'utf8')).toBe('1\n2\n');
});

test.each([
  ['fails', 'process.exit(3)', 20_000, 'ended with 3'],
  ['does not end in time', 'setInterval(() => {}, 1_000)', 300, 'did not end within 0.3 s and was killed'],
])('of a tool that %s, the error names the file that holds its output', async (_, script, limitMs, how) => {
  const logFile = join(dir, 'tool.log');
  const command = [process.execPath, '-e', script];
  await expect(run(command, { logFile, limitMs })).rejects.toThrow(
    `${process.execPath} ${how}; its output is in ${logFile}`,
  );
});
