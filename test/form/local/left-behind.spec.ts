import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { until } from '../../support/until.ts';

const leftBehind = new URL('../../support/processes/left-behind.ts', import.meta.url).href;

/** A runner with a product, a server that has a pid file in a directory, and a process that has already ended. */
const runner = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
const { endLater, removeLater } = await import('${leftBehind}');
const asleep = () => spawn('sh', ['-c', 'sleep 300 & sleep 300'], { detached: true, stdio: 'ignore' });
const directory = removeLater(mkdtempSync(join(tmpdir(), 'left behind-')));
const product = endLater(asleep());
const server = asleep();
mkdirSync(join(directory, 'broker-1', 'kafka'), { recursive: true });
writeFileSync(join(directory, 'broker-1', 'kafka', 'pid'), server.pid + '\\n1234\\n');
const ended = endLater(asleep());
process.kill(-ended.pid, 'SIGKILL');
await once(ended, 'exit');
process.send({ directory, groups: [product.pid, server.pid] });
process.on('message', () => process.exit());
`;

interface StartedProcess {
  readonly directory: string;
  readonly groups: readonly number[];
}

let child: ChildProcess;
let started: StartedProcess;

beforeEach(async () => {
  child = spawn(process.execPath, ['--input-type=module', '-e', runner], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  [started] = (await once(child, 'message')) as [StartedProcess];
  expect(started.groups.every(isGroupAlive)).toBe(true);
}, 20_000);

afterEach(() => {
  child.kill('SIGKILL');
  for (const group of started.groups.filter(isGroupAlive)) process.kill(-group, 'SIGKILL');
  rmSync(started.directory, { recursive: true, force: true });
});

test.each<[string, () => unknown]>([
  ['is killed', () => child.kill('SIGKILL')],
  ['is interrupted', () => child.kill('SIGINT')],
  ['is asked to end', () => child.kill('SIGTERM')],
  ['loses its terminal', () => child.kill('SIGHUP')],
  ['exits normally', () => child.send('end')],
])(
  'the processes and the directory of a runner of tests or benches are removed when it %s',
  async (_, end) => {
    end();
    await once(child, 'exit');
    await until('the processes to be gone', () => !started.groups.some(isGroupAlive));
    expect(await until('the directory to be gone', () => !existsSync(started.directory))).toBe(true);
  },
  30_000,
);

function isGroupAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
