// The duration of a source's first run, the memory of a warm source, and what an HTTP call adds to a run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../support/processes/left-behind.ts';
import { IsolatedVmSandbox } from '../../libs/sandbox/isolated-vm/isolated-vm-sandbox.ts';
import { cpuMsWith, residentMiBOf } from './load/processor-time.ts';
import { figure, quantile } from './report/figure.ts';
import type { Bench, Figure } from './report/figure.ts';

/** Sources that run for the first time; afterwards as many isolates are warm. */
const sources = 50;
const runsPerFigure = 2_000;
const runsToWarmUp = 500;
/** Runs at a time, as of a source with default settings that waits for an answer meanwhile. */
const inFlight = 8;

const code = `
module.exports = {
  name: 'Poller', version: '0.1.0', props: { url: 'string' },
  async run(event) { this.$emit(this.url === '' ? event : await (await fetch(this.url)).json()); },
};`;

/** In its own process, which is not counted. */
const upstreamCode = `require('node:http').createServer((_, answer) => answer.end('{"items":[]}'))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

export const runCold: Bench = { name: 'run.cold', run };

async function run(): Promise<readonly Figure[]> {
  const cacheDir = removeLater(await mkdtemp(join(tmpdir(), 'run-cold-')));
  const upstream = spawn(process.execPath, ['-e', upstreamCode], { stdio: ['ignore', 'pipe', 'inherit'] });
  const sandbox = await IsolatedVmSandbox.start({ cacheDir, egress: { allow: ['127.0.0.0/8'] } });
  try {
    const [port] = (await once(upstream.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${String(port).trim()}/`;
    await runOne(sandbox, 'dc_first', '');
    const before = residentMiB(sandbox);
    const firstMs = await measureFirstRuns(sandbox);
    const memoryPerSource = (residentMiB(sandbox) - before) / sources;
    await runMany(sandbox, runsToWarmUp, url);
    const plain = await cpuMsPerRun(sandbox, '');
    const withHttp = await cpuMsPerRun(sandbox, url);
    return [
      figure('run.cold.p50', quantile(firstMs, 0.5), 'ms'),
      figure('run.cold.p99', quantile(firstMs, 0.99), 'ms'),
      figure('run.cold.memory', memoryPerSource, 'MiB per warm source'),
      figure('run.cold.rate', 1_000 / plain, 'runs/s per core'),
      figure('run.cold.rate.http', 1_000 / withHttp, 'runs/s per core'),
    ];
  } finally {
    upstream.kill();
    await sandbox.close();
    await rm(cacheDir, { recursive: true });
  }
}

/** Runs the sources one after another, so that none waits for the others. */
async function measureFirstRuns(sandbox: IsolatedVmSandbox): Promise<readonly number[]> {
  const tookMs: number[] = [];
  for (let at = 0; at < sources; at++) {
    const begun = performance.now();
    await runOne(sandbox, `dc_${at}`, '');
    tookMs.push(performance.now() - begun);
  }
  return tookMs;
}

async function cpuMsPerRun(sandbox: IsolatedVmSandbox, url: string): Promise<number> {
  const before = cpuMsWith(sandbox.processIds);
  await runMany(sandbox, runsPerFigure, url);
  return (cpuMsWith(sandbox.processIds) - before) / runsPerFigure;
}

async function runMany(sandbox: IsolatedVmSandbox, count: number, url: string): Promise<void> {
  let remaining = count;
  const worker = async (_: unknown, at: number): Promise<void> => {
    while (remaining-- > 0) await runOne(sandbox, `dc_${at}`, url);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function runOne(sandbox: IsolatedVmSandbox, sourceId: string, url: string): Promise<void> {
  const { end, emits } = await sandbox.invoke({
    sourceId,
    revision: 1,
    what: 'run',
    event: { items: [] },
    props: { url },
    bundle: async () => ({ js: code, map: '{"version":3,"sources":[],"names":[],"mappings":""}' }),
    db: () => ({}),
    onRespond: () => {},
  });
  if (end !== 'finished' || emits.length !== 1) throw new Error(`A run ended ${end} with ${emits.length} events`);
}

const residentMiB = ({ processIds }: IsolatedVmSandbox): number =>
  processIds.reduce((sum, pid) => sum + residentMiBOf(pid), 0);
