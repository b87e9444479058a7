import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { UnreadPipe } from '../../support/processes/unread-pipe.ts';
import { until } from '../../support/until.ts';

const built = new URL('../../../dist/libs/engines/', import.meta.url).href;
const pino = import.meta.resolve('pino');
const endMaxMs = 5_000;

/** A process that logs and ends as every app does, with nothing else in it. */
const app = (then: string): string => `
const { pino } = (await import('${pino}')).default;
const { Shutdown } = await import('${built}shutdown/shutdown.js');
const { openOutputs } = await import('${built}output/outputs.js');
const outputs = openOutputs();
const logger = pino({}, outputs.stdout);
const shutdown = new Shutdown(logger, outputs);
for (let n = 0; n < 5_000; n++) logger.info({ n }, 'x'.repeat(200));
process.send('logged');
setInterval(() => {}, 1_000);
${then}`;

let child: ChildProcess | undefined;
let pipe: UnreadPipe;

beforeEach(() => {
  pipe = new UnreadPipe();
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await pipe.breakOff();
});

async function start(then: string): Promise<{ readonly ended: Promise<unknown[]> }> {
  child = spawn(process.execPath, ['--input-type=module', '-e', app(then)], {
    stdio: ['ignore', pipe.writingEnd, pipe.writingEnd, 'ipc'],
  });
  const ended = once(child, 'exit');
  await once(child, 'message');
  return { ended };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a process within 5 s even if its shutdown hangs and nobody reads its log',
  async (signal) => {
    const { ended } = await start('shutdown.setClose(() => new Promise(() => {}));');
    const askedAt = performance.now();
    child?.kill(signal);
    expect(await ended).toEqual([1, null]);
    expect(performance.now() - askedAt).toBeLessThan(endMaxMs);
  },
  30_000,
);

test('the reason why a process ends is printed after everything that it had logged', async () => {
  pipe.startReading();
  const { ended } = await start("queueMicrotask(() => { throw new Error('broken invariant') });");
  expect(await ended).toEqual([1, null]);
  await until('the last line', () => pipe.text.endsWith('"msg":"stopped"}\n'));
  const lines = pipe.text.trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { n?: number; msg: string; err?: { message: string } });
  expect(records.slice(0, 5_000).map(({ n }) => n)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
  expect(records[5_000]).toMatchObject({ msg: 'cannot continue', err: { message: 'broken invariant' } });
}, 30_000);
