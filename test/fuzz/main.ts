// `npm run fuzz -- [--minutes N] [--seed N] [--part requests|guest|records]`: drawn input against the built product.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { endWithNpm } from '../support/processes/left-behind.ts';
import { runPart } from './part.ts';
import type { Part, Result } from './part.ts';
import { Guest } from './parts/guest.ts';
import { Records } from './parts/records.ts';
import { Requests } from './parts/requests.ts';

const minutesDefault = 2;
const seedsMax = 2 ** 31 - 1;

endWithNpm();
const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, part: { type: 'string' } },
});
const minutes = Number(values.minutes ?? minutesDefault);
const seed = Number(values.seed ?? randomInt(seedsMax));
const allParts: readonly Part[] = [new Requests(), new Guest(), new Records()];
const parts = allParts.filter(({ name }) => values.part === undefined || values.part === name);
if (parts.length === 0 || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  const names = allParts.map(({ name }) => name).join('|');
  process.stderr.write(`Give --minutes a number above 0, --seed a whole number, --part one of ${names}\n`);
  process.exit(1);
}

process.stdout.write(`seed ${seed}\n`);
for (const part of parts) {
  const result = await runPart(part, seed, (minutes * 60_000) / parts.length);
  process.stdout.write(formatResult(part, result));
  if (result.findings.length > 0) process.exitCode = 1;
}
// A product that never became healthy would keep this process open; the guard of left-behind.ts ends the product.
process.exit();

function formatResult({ name }: Part, { cases, tried, findings }: Result): string {
  const lines = findings.map(
    ({ kind, seed: found, example, details }) =>
      `\n${name}: ${kind}\n  smallest case: ${example}\n  ${details}\n  again: npm run fuzz -- --part ${name} --seed ${found}\n`,
  );
  const parts = `${cases} cases with ${tried.count} ${tried.of}`;
  return `${name}: ${parts}, ${findings.length} findings\n${lines.join('')}`;
}
