// `npm run hostile`: runs each case on a fresh service, and prints a table; fails if a promise or a goal is missed.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { families } from './cases/families.ts';
import { runCase } from './harness/alone/run-case.ts';
import type { CaseResult } from './harness/alone/run-case.ts';
import { tableHeading, tableRow } from './harness/alone/table.ts';

const usage =
  'usage: npm run hostile -- [--only PATTERN] [--json FILE]\n  --only PATTERN  the cases whose name matches';

const { only, json } = parseOptions();
const cases = families
  .flatMap(({ attacks, remain }) => attacks.map((attack) => ({ attack, remain })))
  .filter(({ attack }) => only.test(attack.name));
if (cases.length === 0) fail(`no case matches ${only}`);

const results: CaseResult[] = [];
console.log(tableHeading);
for (const { attack, remain } of cases) {
  const result = await runCase(attack, remain);
  results.push(result);
  // Written after each case, because a whole run takes hours and might be interrupted.
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  console.log(tableRow(result));
  for (const text of result.broken) console.log(`    ${text}`);
}
const brokenCases = results.filter((one) => one.broken.length > 0);
console.log(`${results.length - brokenCases.length} of ${results.length} cases keep every promise and goal`);
process.exit(brokenCases.length > 0 ? 1 : 0);

function parseOptions(): { readonly only: RegExp; readonly json: string | undefined } {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
    return { only: new RegExp(values.only ?? '', 'i'), json: values.json };
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n${usage}\n`);
  process.exit(2);
}
