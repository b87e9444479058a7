// `npm run hostile`: runs each case on a fresh service, and prints a table; fails if a promise or a goal is missed.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { families } from './cases/families.ts';
import { tryAlone } from './harness/alone/alone.ts';
import type { Alone } from './harness/alone/alone.ts';
import { heading, row } from './harness/alone/table.ts';

const usage =
  'usage: npm run hostile -- [--only PATTERN] [--json FILE]\n  --only PATTERN  the cases whose name matches';

const { only, json } = options();
const cases = families
  .flatMap(({ attacks, remain }) => attacks.map((attack) => ({ attack, remain })))
  .filter(({ attack }) => only.test(attack.name));
if (cases.length === 0) fail(`no case matches ${only}`);

const tried: Alone[] = [];
console.log(heading);
for (const { attack, remain } of cases) {
  const result = await tryAlone(attack, remain);
  tried.push(result);
  // Written after each case, because a whole run takes hours and might be interrupted.
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(tried, null, 2)}\n`);
  console.log(row(result));
  for (const text of result.broken) console.log(`    ${text}`);
}
const broken = tried.filter((one) => one.broken.length > 0);
console.log(`${tried.length - broken.length} of ${tried.length} cases keep every promise and goal`);
process.exit(broken.length > 0 ? 1 : 0);

function options(): { readonly only: RegExp; readonly json: string | undefined } {
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
