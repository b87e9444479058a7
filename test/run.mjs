// Runs every test, or those whose path contains an argument, and prints the totals on the last line.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, cpus, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import config from './jest.config.js';
import { Servers } from './servers.mjs';
import { endLater, endWithNpm } from './support/processes/left-behind.ts';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const patterns = process.argv.slice(2);
const inCi = process.env.CI === 'true';

/**
 * Rounds run one after another; the parts of a round at the same time, each in its own Jest. The projects of a part
 * share its workers, so that the last spec of one project does not delay the others.
 */
const rounds = [
  // Three workers, because unit specs wait for processes and clocks for a quarter of the time.
  [{ names: ['libs'], workers: 3 }],
  [
    // One spec at a time, because the time of a recovery after the loss of servers and apps is checked. It mostly waits
    // for absent servers and members, so one more worker can run next to it.
    { names: ['outages-distributed'], workers: 1 },
    {
      names: [
        'form',
        'flow-embedded',
        'conformance-embedded',
        'conformance-distributed',
        'cli-embedded',
        'hostile-distributed',
      ],
      workers: 1,
    },
  ],
  // Three workers, because a story waits for a fifth of its time: for a process to start, for a receiver, for a minute.
  [
    {
      names: ['flow-distributed', 'browser-embedded', 'invariants-embedded', 'invariants-distributed'],
      workers: 3,
    },
  ],
  // Two, because components that run without end must use up their 10 s of processor time within a minute.
  [{ names: ['hostile-embedded'], workers: 2 }],
];
/** Six times Jest's default: on a busy machine, a process can take seconds to start, and a product to answer. */
const testMs = 30_000;
/**
 * Jest loads up to 3,000 modules anew for each spec: with Node's 16 MiB for new objects, more than a tenth of the
 * processor time of such a spec is garbage collection. Workers inherit it, the products that they start do not.
 */
const youngGeneration = '--max-semi-space-size=64';
const needsServers = (names) => names.some((name) => name.endsWith('-distributed'));

/** Jest ends its workers, which end their products; what still runs after this time is killed. */
const endTimeoutMs = 10_000;

endWithNpm();
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const servers = new Servers();
const running = new Set();
let stopping = false;
checkRounds();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void giveUp(signal));

const outDir = await mkdtemp(join(tmpdir(), 'totals-'));
try {
  await servers.start();
  for (const problem of servers.problems) console.log(`skipped: ${problem}`);
  for (const round of rounds) {
    if (stopping) break;
    const before = times();
    await Promise.all(round.map(runPart));
    told(before);
  }
} finally {
  await servers.stop();
  await rm(outDir, { recursive: true, force: true });
}
if (!stopping) report();

/** Throws if a project is in no round: it would never run. */
function checkRounds() {
  const named = rounds.flat().flatMap(({ names }) => names);
  const known = config.projects.map(({ displayName }) => displayName);
  if ([...named].sort().join() === [...known].sort().join()) return;
  throw new Error(`the rounds name ${named.join(', ')} and the projects are ${known.join(', ')}`);
}

async function runPart({ names: all, workers }) {
  const names = servers.problems.length > 0 ? all.filter((name) => !needsServers([name])) : all;
  totals.skipped += all.length - names.length;
  if (names.length > 0) add(names, await runProjects(names, workers));
}

async function runProjects(names, workers) {
  const outputFile = join(outDir, `${names.join('-')}.json`);
  const atOnce = workers === 1 ? '--runInBand' : `--maxWorkers=${workers}`;
  const how = [atOnce, `--testTimeout=${testMs}`, patterns.length > 0 && '--passWithNoTests'];
  const output = ['--json', `--outputFile=${outputFile}`, '-c', 'test/jest.config.js'];
  // A failed test can leave something open for which Jest would wait forever.
  const what = ['--selectProjects', ...names, '--forceExit', ...output];
  const begun = performance.now();
  const code = await jest([...how.filter(Boolean), ...what, ...patterns]);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const text = await readFile(outputFile, 'utf8').catch(() => undefined);
  return { code, seconds, result: text === undefined ? undefined : JSON.parse(text) };
}

/** The machine's core time since its start: the busy and the total time. */
function times() {
  const each = cpus().map(({ times: { idle, ...busy } }) => ({
    idle,
    busy: Object.values(busy).reduce((a, b) => a + b),
  }));
  const sum = (what) => each.reduce((all, one) => all + one[what], 0);
  return { busy: sum('busy'), all: sum('busy') + sum('idle') };
}

/** Prints how busy a round kept the cores: more workers could use the rest. */
function told(before) {
  const now = times();
  const all = now.all - before.all;
  if (all > 0 && patterns.length === 0)
    console.log(`  cores ${Math.round((100 * (now.busy - before.busy)) / all)} % busy`);
}

/** Runs Jest, which reports on stderr and writes JSON only to its file. Its own group can be ended as a whole. */
async function jest(args) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', youngGeneration];
  const entry = join(rootDir, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = endLater(
    spawn(process.execPath, [...flags, entry, ...args], {
      cwd: rootDir,
      detached: true,
      // Products start many times: the code that one start has compiled is reused in this run.
      env: { ...process.env, NODE_COMPILE_CACHE: join(outDir, 'compiled'), ...servers.variables },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  running.add(child);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  await end(child);
  running.delete(child);
  return code;
}

/** Ends what was started, and then this process, with the exit code of the signal. */
async function giveUp(signal) {
  stopping = true;
  await Promise.all([...running].map(end));
  await servers.stop();
  await rm(outDir, { recursive: true, force: true });
  process.exit(128 + constants.signals[signal]);
}

/** Ends the whole group, in which a failed test might have left a product. */
async function end({ pid }) {
  const until = Date.now() + endTimeoutMs;
  while (signalled(-pid, Date.now() > until ? 'SIGKILL' : 'SIGTERM'))
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Whether a process received the signal. */
function signalled(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

/** A suite that could not run counts as one failure, and so does a run that failed without a report. */
function add(names, { code, seconds, result }) {
  const failedBefore = totals.failed;
  if (result !== undefined) {
    if (result.numTotalTests > 0) console.log(`${names.join(' and ')}: ${result.numTotalTests} tests in ${seconds} s`);
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    totals.skipped += result.numPendingTests + result.numTodoTests;
    failures.push(...result.testResults.flatMap(failuresOf));
  }
  if (code !== 0 && totals.failed === failedBefore) totals.failed += 1;
}

/** A line for each failed test of a suite, or one for a suite that could not run. */
function failuresOf({ name, status, assertionResults }) {
  const suite = relative(rootDir, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [suite] : [];
  return failed.map(({ fullName }) => `${suite}: ${fullName}`);
}

function report() {
  const { passed, skipped } = totals;
  for (const failure of failures) console.log(`failed: ${failure}`);
  const failed = totals.failed + (inCi ? skipped : 0);
  if (skipped > 0) console.log(`${skipped} skipped${inCi ? ', which fails with CI=true' : ''}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
