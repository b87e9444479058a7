// The processor time of a warm run, in the product and its runner together, against a bare fork with a bare isolate.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../support/processes/left-behind.ts';
import { cpuMsWith } from './load/processor-time.ts';
import { BareRunner } from './bare/runner.ts';
import { IsolatedVmSandbox } from '../../libs/sandbox/isolated-vm/isolated-vm-sandbox.ts';
import type { Bench, Figure } from './report/figure.ts';

/** Runs at a time. */
const inFlights = [1, 8, 32];
const runsPerFigure = 10_000;
const runsToWarmUp = 5_000;

/** Like GitLab's source for new issues: checks a header, answers, emits the body. */
const code = `
module.exports = {
  name: 'New Issue',
  version: '0.1.0',
  dedupe: 'unique',
  props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db', token: 'string' },
  methods: {
    isValid({ headers }) { return headers['x-gitlab-token'] === this.token; },
    meta({ id, title, created_at }) { return { id, summary: \`New issue: \${title}\`, ts: +new Date(created_at) }; },
  },
  async run(event) {
    if (!this.isValid(event)) { this.http.respond({ status: 404 }); return; }
    this.http.respond({ status: 200 });
    this.$emit(event.body, this.meta(event.body.object_attributes));
  },
};`;

const body = {
  object_kind: 'issue',
  object_attributes: {
    id: 301,
    title: 'An issue',
    created_at: '2024-12-03T17:15:43Z',
    description: 'text '.repeat(340),
  },
  labels: Array.from({ length: 5 }, (_, at) => ({ id: at, title: `label ${at}` })),
};
const event = {
  method: 'POST',
  path: '/',
  query: {},
  headers: { 'content-type': 'application/json', 'x-gitlab-event': 'Issue Hook', 'x-gitlab-token': 'secret' },
  body,
};

const props = { http: { endpoint: 'http://127.0.0.1:3000/e' }, token: 'secret' };
const source = 'dc_bench';

export const runWarm: Bench = { name: 'run.warm', run };

/** One side of the comparison, which runs the component in this process and others. */
interface Side {
  readonly runOne: () => Promise<void>;
  readonly processIds: () => readonly number[];
}

async function run(): Promise<readonly Figure[]> {
  const cacheDir = removeLater(await mkdtemp(join(tmpdir(), 'run-warm-')));
  const sandbox = await IsolatedVmSandbox.start({ cacheDir });
  const bare = new BareRunner();
  bare.load(source, code);
  const product: Side = { runOne: () => runOne(sandbox), processIds: () => sandbox.processIds };
  const bareSide: Side = { runOne: () => runBare(bare), processIds: () => [bare.pid] };
  try {
    for (const side of [product, bareSide]) await runMany(side, { count: runsToWarmUp, inFlight: 8 });
    const figures: Figure[] = [];
    for (const inFlight of inFlights) {
      const bound = await cpuMsPerRun(bareSide, inFlight);
      const value = await cpuMsPerRun(product, inFlight);
      const goal = 'bound >= 0.7 of it';
      figures.push({ name: `run.warm.${inFlight}`, value, unit: 'CPU ms/run', bound, ratio: bound / value, goal });
    }
    return figures;
  } finally {
    await Promise.all([sandbox.close(), bare.end()]);
    await rm(cacheDir, { recursive: true });
  }
}

async function cpuMsPerRun(side: Side, inFlight: number): Promise<number> {
  const before = cpuMsWith(side.processIds());
  await runMany(side, { count: runsPerFigure, inFlight });
  return (cpuMsWith(side.processIds()) - before) / runsPerFigure;
}

async function runMany({ runOne: one }: Side, { count, inFlight }: { count: number; inFlight: number }): Promise<void> {
  let remaining = count;
  const worker = async (): Promise<void> => {
    while (remaining-- > 0) await one();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function runBare(runner: BareRunner): Promise<void> {
  const emits = await runner.run({ source, event: JSON.stringify(event), props: JSON.stringify(props) });
  if ((JSON.parse(emits) as unknown[]).length !== 1) throw new Error(`A bare run emitted ${emits}`);
}

async function runOne(sandbox: IsolatedVmSandbox): Promise<void> {
  const { end, emits } = await sandbox.invoke({
    sourceId: source,
    revision: 1,
    bundle: async () => ({ js: code, map: '{"version":3,"sources":[],"names":[],"mappings":""}' }),
    what: 'run',
    event,
    props,
    db: () => ({}),
    onRespond: () => {},
  });
  if (end !== 'finished' || emits.length !== 1) throw new Error(`A run ended ${end} with ${emits.length} events`);
}
