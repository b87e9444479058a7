import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Runner } from '../../../apps/cli/session/command.ts';
import { program } from '../../../apps/cli/program/program.ts';
import { cliPage, committedPage } from './page.ts';

test('docs/cli.md matches the commands of pd; `npm run commands` regenerates it', async () => {
  expect(committedPage()).toBe(await cliPage());
});

/** Counts the commands that the parser would run; throws for what it refuses. */
async function runActions(args: readonly string[]): Promise<number> {
  let count = 0;
  const runner: Runner = { run: () => async () => void count++ };
  const stream = new PassThrough();
  await program(runner, { stdin: stream, stdout: stream, stderr: stream }, false).parseAsync(args, { from: 'user' });
  return count;
}

test('pd accepts every call that README.md shows', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const calls = [...readme.matchAll(/^npx pd ([^#\n]+)/gm)].map(([, words = '']) => words.trim().split(/\s+/));
  expect(calls.length).toBeGreaterThan(3);
  for (const args of calls) expect([args, await runActions(args)]).toEqual([args, 1]);
  await expect(runActions(['listen', '--no-such-option'])).rejects.toThrow();
});
