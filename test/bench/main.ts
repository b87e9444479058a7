// `npm run bench -- [NAME ...] [--engine ENGINE] [--size N] [--json FILE]`: runs benches; prints and saves the medians.
// Names are searched on both engines; without a name and an engine it runs all benches of the embedded one.
import { readdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { endWithNpm } from '../support/processes/left-behind.ts';
import type { Bench, Figure } from './report/figure.ts';
import { median, table } from './report/report.ts';

const runsDefault = 3;

endWithNpm();

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, engine: { type: 'string' }, size: { type: 'string' } },
  allowPositionals: true,
});
const wantedEngine = values.engine ?? (positionals.length === 0 ? 'embedded' : undefined);
const size = Number(values.size ?? NaN);
if (values.size !== undefined && !(Number.isSafeInteger(size) && size > 0)) {
  console.error('--size is a number of events, from 1');
  process.exit(1);
}
const engineBenches = (await loadBenches()).filter(
  ({ engine = 'embedded' }) => wantedEngine === undefined || engine === wantedEngine,
);
if (engineBenches.length === 0) {
  console.error(`There is no bench of the engine ${wantedEngine}; there are embedded and distributed`);
  process.exit(1);
}
const unknownNames = positionals.filter((wanted) => !engineBenches.some(({ name }) => matchesName(wanted, name)));
if (unknownNames.length > 0) {
  const names = engineBenches.map(({ name }) => name).join(', ');
  console.error(`There is no bench ${unknownNames.join(', ')}; there are: ${names}`);
  process.exit(1);
}
const benches = engineBenches.filter(
  ({ name }) => positionals.length === 0 || positionals.some((wanted) => matchesName(wanted, name)),
);

const figures: Figure[] = [];
for (const bench of benches) {
  const runFigures: (readonly Figure[])[] = [];
  const { runs = runsDefault } = bench;
  for (let run = 1; run <= runs; run++) {
    process.stderr.write(`${bench.name}: run ${run} of ${runs}\n`);
    const figuresOfRun = await bench.run(values.size === undefined ? {} : { size });
    runFigures.push(figuresOfRun);
    // Printed at once, because a run of all benches takes long and might be interrupted.
    process.stderr.write(`${table(figuresOfRun)}\n`);
  }
  figures.push(...median(runFigures));
}
console.log(table(figures));
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ figures }, undefined, 2)}\n`);

/**
 * 'delivery' also picks delivery.ordered and delivery.unordered; 'log.append.concurrent', a figure, picks log.append,
 * which measures it; 'publish.latency' is a bench of its own.
 */
function matchesName(wanted: string, name: string): boolean {
  const isFigure = engineBenches.every((bench) => bench.name !== wanted);
  return wanted === name || name.startsWith(`${wanted}.`) || (isFigure && wanted.startsWith(`${name}.`));
}

/** Loads every bench that a *.bench file in this folder or below exports, under any name. */
async function loadBenches(): Promise<readonly Bench[]> {
  const files = (await readdir(new URL('.', import.meta.url), { recursive: true }))
    .filter((name) => /\.bench\.[jt]s$/.test(name))
    .sort();
  const modules = await Promise.all(
    files.map(async (name) => Object.values((await import(new URL(name, import.meta.url).href)) as object)),
  );
  return [...new Set(modules.flat(2))].filter(isBench);
}

function isBench(exported: unknown): exported is Bench {
  const { name, run } = (exported ?? {}) as Partial<Bench>;
  return typeof name === 'string' && typeof run === 'function';
}
