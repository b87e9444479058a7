// Code that kills or blocks its compiler is refused; other compiles and earlier results are not affected.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BundleJob } from '../bundling/job.ts';
import { Compiler } from './compile.ts';
import type { Compilation } from './compile.ts';
import { CompilerProcess, compilerLimits } from './process/compiler-process.ts';

let cacheDir = '';
const compilers: Compiler[] = [];
beforeEach(async () => (cacheDir = await mkdtemp(join(tmpdir(), 'compilers-'))));
afterEach(async () => {
  for (const compiler of compilers.splice(0)) compiler.close();
  await rm(cacheDir, { recursive: true });
});

/** Short, so that endless compiles reach it soon, but long enough for an ordinary compile on a busy machine. */
const timeMs = 1_500;

function open(limits = { ...compilerLimits, timeMs }): Compiler {
  const compiler = new Compiler({ cacheDir, limits });
  compilers.push(compiler);
  return compiler;
}

const of = (code: string): BundleJob => ({ program: { code }, tree: null });

let made = 0;
const ordinary = (): string => `export default { name: 'a', version: '${++made}', run() { return ${made}; } }`;

/** The process that compiles. There must be one: a signal to process 0 would go to this test's own group. */
function leaderOf({ processIds: [leader] }: Compiler): number {
  if (leader === undefined) throw new Error('the compiler has no process');
  return leader;
}

/** The processes of a group, by their ids. */
async function groupOf(leader: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(group) === leader && state !== 'Z') found.push(Number(name));
  }
  return found;
}

/** Compiles ordinary components, one after another, until `during` has settled. */
async function ordinaryDuring(compiler: Compiler, during: Promise<unknown>): Promise<Compilation['kind'][]> {
  const kinds: Compilation['kind'][] = [];
  let over = false;
  void during.finally(() => (over = true));
  do kinds.push((await compiler.compile(of(ordinary()), 'innocent')).kind);
  while (!over);
  return kinds;
}

const nested = (open: string, within: string, close: string, depth: number): string =>
  `x = ${open.repeat(depth)}${within}${close.repeat(depth)}`;

/** Each has at most half of the size limit of a component. */
const deadly: readonly (readonly [string, string])[] = [
  ['brackets', '['.repeat(260_000) + ']'.repeat(260_000)],
  ['brackets that are never closed', '['.repeat(520_000)],
  ['parentheses', nested('(', '1', ')', 260_000)],
  ['negations', nested('!', '1', '', 520_000)],
  ['signs', nested('- ', '1', '', 260_000)],
  ['arrow functions', nested('a=>', '1', '', 170_000)],
  ['ternaries', nested('a?b:', 'c', '', 130_000)],
  ['template literals', nested('`${', '1', '}`', 100_000)],
  ['blocks', '{'.repeat(260_000) + '}'.repeat(260_000)],
  ['functions', 'function f(){'.repeat(37_000) + '}'.repeat(37_000)],
  ['labels', Array.from({ length: 60_000 }, (_, at) => `a${at}:`).join('') + ';'],
  ['member accesses', `x = a${'.a'.repeat(260_000)}`],
];

const harmless: readonly (readonly [string, string])[] = [
  ['comments', '/* '.repeat(170_000) + '*/ x = 1'],
  ['many comments', '/**/'.repeat(130_000)],
  ['a regular expression', `x = /${'('.repeat(250_000)}${')'.repeat(250_000)}/`],
  ['a source map that never ends', 'x = 1\n//# sourceMappingURL=/dev/zero'],
];

it.each(deadly)(
  'ends a process that compiles %s within its limits, together with esbuild',
  async (_name, code) => {
    const compiler = new CompilerProcess({ ...compilerLimits, timeMs: 500 });
    expect(await compiler.run(of(code))).toBeUndefined();
    expect(compiler.isDead).toBe(true);
    while ((await groupOf(compiler.pid ?? 0)).length > 0) await sleep(5);
  },
  20_000,
);

it('refuses code that kills its processes, and compiles for others meanwhile and afterwards', async () => {
  const compiler = open();
  const brackets = compiler.compile(of(deadly[0]?.[1] ?? ''), 'hostile');
  const parentheses = compiler.compile(of(deadly[2]?.[1] ?? ''), 'hostile');
  const kinds = await ordinaryDuring(compiler, Promise.all([brackets, parentheses]));
  const error = { name: 'CompileError', message: expect.stringContaining('less deeply') };
  expect(await Promise.all([brackets, parentheses])).toMatchObject([
    { kind: 'failed', error },
    { kind: 'failed', error },
  ]);
  expect(new Set(kinds)).toEqual(new Set(['compiled']));
  expect(kinds.length).toBeGreaterThan(10);
  expect(await compiler.compile(of(ordinary()), 'hostile')).toMatchObject({ kind: 'compiled' });
}, 60_000);

it.each(harmless)('compiles %s', async (_name, code) => {
  expect(await open(compilerLimits).compile(of(code), 'a')).toMatchObject({ kind: 'compiled' });
});

it('refuses code whose output grows too much', async () => {
  const squared = await open(compilerLimits).compile(of('{'.repeat(4_000) + '}'.repeat(4_000)), 'a');
  expect(squared).toMatchObject({
    kind: 'refused',
    error: { name: 'CompileError', message: expect.stringContaining('Bundled') },
  });
});

it('gives its processes no variables of our environment', async () => {
  const compiler = open();
  await compiler.compile(of(ordinary()), 'a');
  const leader = leaderOf(compiler);
  const names = new Set<string>();
  for (const pid of await groupOf(leader)) {
    const text = await readFile(`/proc/${pid}/environ`, 'utf8');
    for (const pair of text.split('\0')) names.add(pair.replace(/=.*/s, ''));
  }
  expect([...names]).toContain('GOMEMLIMIT');
  // This process has PATH and more variables, which would be found if they were inherited.
  const ours = [
    '',
    'GOMAXPROCS',
    'GOMEMLIMIT',
    'GOTRACEBACK',
    'PWD',
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
  ];
  expect([...names].filter((name) => !ours.includes(name))).toEqual([]);
});

it('tries again when a compiler is killed from outside, and leaves no esbuild behind', async () => {
  const compiler = open({ ...compilerLimits, timeMs: 60_000 });
  await compiler.compile(of(ordinary()), 'a');
  const leader = leaderOf(compiler);
  const group = await groupOf(leader);
  const slow = compiler.compile(of(nested('function f(){', '', '}', 20_000).slice(4)), 'a');
  await sleep(50);
  process.kill(leader, 'SIGKILL');
  while ((await groupOf(leader)).length > 0) await sleep(5);
  expect(group.length).toBeGreaterThan(1);
  while (compiler.processIds.length === 0 || compiler.processIds.includes(leader)) await sleep(5);
  const next = leaderOf(compiler);
  compiler.close();
  expect((await slow).kind).toBe('failed');
  while ((await groupOf(next)).length > 0) await sleep(5);
});

it('allows retries of a failed compile a few times, then refuses one', async () => {
  const compiler = open({ ...compilerLimits, timeMs: 100 });
  const code = deadly[9]?.[1] ?? '';
  const again: boolean[] = [];
  for (let times = 0; times < 6; times++) {
    const compilation = await compiler.compile(of(code), 'a');
    if (compilation.kind === 'failed') again.push(compilation.again);
  }
  expect(again).toEqual([true, true, true, true, false, true]);
}, 30_000);

it('needs no process for code compiled before, not even after a restart', async () => {
  const code = ordinary();
  const first = await open().compile(of(code), 'a');
  expect(first.kind).toBe('compiled');
  const second = open();
  expect(await second.compile(of(code), 'a')).toEqual(first);
  expect(second.processIds).toEqual([]);

  const [name = ''] = await readdir(join(cacheDir, 'compiled'));
  await writeFile(join(cacheDir, 'compiled', name), 'damaged');
  const third = open();
  expect(await third.compile(of(code), 'a')).toEqual(first);
  expect(third.processIds).toHaveLength(1);
  expect(await open().compile(of(code), 'a')).toEqual(first);
});
