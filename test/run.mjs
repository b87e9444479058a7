// Runs every test, or those whose path holds an argument, and ends with the totals on a line of their own.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import config from './jest.config.js';
import { Servers } from './servers.mjs';
import { endLater, endWithNpm } from './support/processes/left-behind.ts';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const patterns = process.argv.slice(2);
const inCi = process.env.CI === 'true';

/** Code alone, and what boots nothing. */
const unbooted = ['libs', 'form'];
/** Here servers and apps are taken away and back, and the time until all is well again is a promise: one spec at a time. */
const timed = new Set(['outages-distributed']);
const workers = 2;
/** Unit specs wait for processes and clocks of their own a quarter of the time. */
const unbootedWorkers = 3;
/** Six times Jest's own: on a busy machine a process can take seconds to start, and a product to answer. */
const testMs = 30_000;
const projects = config.projects.map(({ displayName }) => displayName);
const rounds = [unbooted, ...projects.filter((name) => !unbooted.includes(name)).map((name) => [name])];
const needsServers = (names) => names.some((name) => name.endsWith('-distributed'));

/** Jest ends its workers and they their products; what has not ended by then is killed. */
const endTimeoutMs = 10_000;

endWithNpm();
const totals = { passed: 0, failed: 0, skipped: 0 };
const servers = new Servers();
let running;
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void giveUp(signal));

const outDir = await mkdtemp(join(tmpdir(), 'totals-'));
try {
  await servers.start();
  for (const problem of servers.problems) console.log(`skipped: ${problem}`);
  for (const names of rounds) {
    if (stopping) break;
    if (servers.problems.length > 0 && needsServers(names)) totals.skipped += 1;
    else add(names, await runProjects(names));
  }
} finally {
  await servers.stop();
  await rm(outDir, { recursive: true, force: true });
}
if (!stopping) report();

async function runProjects(names) {
  const outputFile = join(outDir, `${names.join('-')}.json`);
  const atOnce = names.some((name) => timed.has(name)) ? '--runInBand' : `--maxWorkers=${workersFor(names)}`;
  const how = [atOnce, `--testTimeout=${testMs}`, patterns.length > 0 && '--passWithNoTests'];
  const output = ['--json', `--outputFile=${outputFile}`, '-c', 'test/jest.config.js'];
  // A failed test may leave something open that would keep Jest waiting for ever.
  const what = ['--selectProjects', ...names, '--forceExit', ...output];
  const begun = performance.now();
  const code = await jest([...how.filter(Boolean), ...what, ...patterns]);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  await end(running);
  const text = await readFile(outputFile, 'utf8').catch(() => undefined);
  return { code, seconds, result: text === undefined ? undefined : JSON.parse(text) };
}

function workersFor(names) {
  return names.every((name) => unbooted.includes(name)) ? unbootedWorkers : workers;
}

/** Reports on stderr; the JSON goes to its file only. A group of its own, so that all of it can be ended. */
function jest(args) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const entry = join(rootDir, 'node_modules', 'jest', 'bin', 'jest.js');
  running = endLater(
    spawn(process.execPath, [...flags, entry, ...args], {
      cwd: rootDir,
      detached: true,
      // Each product is started many times: what one start has compiled, the next ones of this run need not.
      env: { ...process.env, NODE_COMPILE_CACHE: join(outDir, 'compiled'), ...servers.variables },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Ends what was started, and then as the signal would have ended it. */
async function giveUp(signal) {
  stopping = true;
  if (running !== undefined) await end(running);
  await servers.stop();
  await rm(outDir, { recursive: true, force: true });
  process.exit(128 + constants.signals[signal]);
}

/** The whole group, of which a failed test may have left a product behind. */
async function end({ pid }) {
  const until = Date.now() + endTimeoutMs;
  while (signalled(-pid, Date.now() > until ? 'SIGKILL' : 'SIGTERM'))
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Whether anything was there to take it. */
function signalled(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

/** A suite that could not run counts as one failure, and so does a run that failed without saying why. */
function add(names, { code, seconds, result }) {
  const failedBefore = totals.failed;
  if (result !== undefined) {
    if (result.numTotalTests > 0) console.log(`${names.join(' and ')}: ${result.numTotalTests} tests in ${seconds} s`);
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    totals.skipped += result.numPendingTests + result.numTodoTests;
  }
  if (code !== 0 && totals.failed === failedBefore) totals.failed += 1;
}

function report() {
  const { passed, skipped } = totals;
  const failed = totals.failed + (inCi ? skipped : 0);
  if (skipped > 0) console.log(`${skipped} skipped${inCi ? ', which fails with CI=true' : ''}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
