// Runs every test, or those whose path holds an argument, and ends with the totals on a line of their own.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const patterns = process.argv.slice(2);

/** Invariants measure latencies and kill processes: each has the machine to itself. */
const rounds = [['libs', 'form'], ['flow'], ['invariants']];
const alone = new Set(['flow', 'invariants']);

const totals = { passed: 0, failed: 0, skipped: 0 };
const outDir = await mkdtemp(join(tmpdir(), 'totals-'));
try {
  for (const projects of rounds) add(await runProjects(projects));
} finally {
  await rm(outDir, { recursive: true });
}
report();

async function runProjects(projects) {
  const outputFile = join(outDir, `${projects.join('-')}.json`);
  const how = [
    projects.every((project) => alone.has(project)) && '--runInBand',
    patterns.length > 0 && '--passWithNoTests',
  ].filter(Boolean);
  const what = ['--selectProjects', ...projects, '--json', `--outputFile=${outputFile}`, '-c', 'test/jest.config.js'];
  const code = await jest([...how, ...what, ...patterns]);
  const text = await readFile(outputFile, 'utf8').catch(() => undefined);
  return { code, result: text === undefined ? undefined : JSON.parse(text) };
}

/** Jest reports on stderr; the JSON goes to its file only. */
function jest(args) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const entry = join(rootDir, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [...flags, entry, ...args], {
    cwd: rootDir,
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** A suite that could not run counts as one failure, and so does a run that failed without saying why. */
function add({ code, result }) {
  const failedBefore = totals.failed;
  if (result !== undefined) {
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    totals.skipped += result.numPendingTests + result.numTodoTests;
  }
  if (code !== 0 && totals.failed === failedBefore) totals.failed += 1;
}

function report() {
  const skipsFail = process.env.CI === 'true' && totals.skipped > 0;
  if (totals.skipped > 0) console.log(`${totals.skipped} skipped${skipsFail ? ', which fails with CI=true' : ''}`);
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed > 0 || skipsFail ? 1 : 0;
}
