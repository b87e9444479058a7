import { PassThrough } from 'node:stream';
import { readEnvironment } from '../config/environment.ts';
import { exitCodes } from '../failures/failure.ts';
import { runProgram } from './run-program.ts';

async function ran(...argv: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const environment = readEnvironment({ XDG_CONFIG_HOME: '/nonexistent' });
  const code = await runProgram(argv, { environment, io: { stdin, stdout, stderr } });
  const textOf = (stream: PassThrough): string => ((stream.read() ?? '') as Buffer | string).toString();
  return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
}

test('help shows a command of any level', async () => {
  for (const [words, usage] of [
    [['webhooks', 'create'], 'Usage: pd webhooks create [options] <url>'],
    [['subs', 'rm'], 'Usage: pd subscriptions delete|rm [options] <subscription>'],
    [['deploy'], 'Usage: pd deploy [options] [code]'],
    [[], 'Usage: pd [options] [command]'],
  ] as const)
    expect(await ran('help', ...words)).toMatchObject({
      code: exitCodes.done,
      stdout: expect.stringContaining(usage),
    });
});

test('help of an unknown command is refused', async () => {
  for (const words of [['bogus'], ['webhooks', 'bogus'], ['deploy', 'bogus']])
    expect(await ran('help', ...words)).toEqual({
      code: exitCodes.usage,
      stdout: '',
      stderr: expect.stringContaining("unknown command 'bogus'"),
    });
});

test('the list of commands shows each as its own help does, with a short description in small letters', async () => {
  const { stdout } = await ran('help');
  for (const line of ['init [options] [source] <name> ', 'unpublish [options] [component] <key> '])
    expect(stdout).toContain(`  ${line}`);
  for (const name of [
    'webhooks',
    'history [options] [subject]',
    'deploy [options] [code]',
    'list|ls [options] [resource]',
  ])
    expect(stdout).toMatch(new RegExp(`\\n  ${name.replace(/[[\]|]/g, '\\$&')} `));
  expect(stdout.slice(stdout.indexOf('Commands:'))).not.toMatch(/^ {2}\S.* {2}[A-Z]/m);
});

test('with --json a failure is one line of JSON on stderr, also that of the parser', async () => {
  const cases = [
    [['describe', 'orders'], exitCodes.unauthorized, 'unauthorized'],
    [['list', 'nothing'], exitCodes.usage, 'usage'],
    [['bogus'], exitCodes.usage, 'usage'],
    [['webhooks'], exitCodes.usage, 'usage'],
  ] as const;
  for (const [argv, exitCode, code] of cases) {
    const { stdout, stderr, ...ended } = await ran(...argv, '--json');
    expect([ended.code, stdout, stderr.trimEnd().split('\n').length]).toEqual([exitCode, '', 1]);
    expect(JSON.parse(stderr)).toMatchObject({ error: expect.any(String), code });
  }
});

test('options that contradict each other are refused', async () => {
  const { code, stderr } = await ran('webhooks', 'create', 'http://a.example', '--unordered', '--order-key', '/a');
  expect([code, stderr]).toEqual([exitCodes.usage, expect.stringContaining('cannot be used with')]);
});

test('a login without a key names each way to give one', async () => {
  const { code, stderr } = await ran('login', '--url', 'http://127.0.0.1:1');
  expect(code).toBe(exitCodes.usage);
  for (const way of ['stdin', 'at a terminal', '--local']) expect(stderr).toContain(way);
});
