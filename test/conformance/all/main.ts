// `npm run conformance`: lets the built product describe all components of the scope's npm packages; reports refusals.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Product } from '../../support/product.ts';
import { endWithNpm, removeLater } from '../../support/processes/left-behind.ts';
import { ComponentPackages } from './packages.ts';
import type { ComponentFile } from './packages.ts';
import { report } from './report.ts';
import type { Tried } from './report.ts';
import { importsOf, tierOf } from './tiers.ts';

const usage = `usage: npm run conformance -- [--only PATTERN] [--type source|action] [--json FILE] [--resume]
  --only PATTERN  the apps whose name matches
  --type TYPE     sources or actions alone
  --json FILE     writes each result to the file
  --resume        leaves out what the file has
`;
/** For a build and what waits for it on a busy machine. */
const limitMs = 300_000;
/** Wait before asking again for a component that is still being described. */
const againMs = 1_000;
/** Error codes after which the request is sent again. */
const notYet = ['unavailable', 'busy', 'too_many_requests'];
/** Builds at a time, each of which is a child process. */
const atOnce = 2;

endWithNpm();
const { only, type, json, resume } = options();
const packages = await ComponentPackages.fetch(removeLater(mkdtempSync(join(tmpdir(), 'components-'))), only);
const product = await Product.start({ env: npmSettings() });
const tried: Tried[] = resume && json !== undefined && existsSync(json) ? earlier(json) : [];
const wanted = packages.components.filter((component) => type === undefined || component.type === type);
const done = new Set(tried.map(({ specifier }) => specifier));
try {
  const apiKey = await product.apiKey();
  const queue = wanted.filter(({ specifier }) => !done.has(specifier));
  await Promise.all(Array.from({ length: atOnce }, () => tryOn(queue, apiKey)));
} finally {
  await product.remove();
}
console.log(report(tried, packages.missing));
process.exit(tried.length > 0 ? 0 : 1);

async function tryOn(queue: ComponentFile[], apiKey: string): Promise<void> {
  for (let component = queue.shift(); component !== undefined; component = queue.shift()) {
    const imports = await importsOf(component.file, (specifier) => packages.fileOf(specifier));
    const startedAt = performance.now();
    const refusal = await refusalOf(component, apiKey);
    const durationMs = Math.round(performance.now() - startedAt);
    tried.push({ ...component, tier: tierOf(imports), imports: [...imports].sort(), refusal, durationMs });
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(tried, null, 2)}\n`);
    process.stderr.write(`${tried.length}/${wanted.length} ${component.key}: ${refusal ?? 'described'}\n`);
  }
}

/** The product's refusal of a component; undefined: it is described. Asks again while the answer is not ready. */
async function refusalOf({ specifier }: ComponentFile, apiKey: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(limitMs);
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ component_code: `export { default } from ${JSON.stringify(specifier)};\n` }),
    signal,
  };
  try {
    for (;;) {
      const response = await fetch(`${product.baseUrl}/v1/components`, request);
      const { error, code = '' } = (await response.json()) as { readonly error?: string; readonly code?: string };
      if (response.ok) return undefined;
      if (!notYet.includes(code)) return error ?? `status ${response.status}`;
      await sleep(againMs, undefined, { signal });
    }
  } catch (error) {
    return `no answer: ${(error as Error).message}`;
  }
}

/** The environment variables that set npm's registry and proxies. */
function npmSettings(): Readonly<Record<string, string>> {
  const wanted = Object.entries(process.env).filter(([name]) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_.*)$/i.test(name),
  );
  return Object.fromEntries(wanted.map(([name, value = '']) => [name, value]));
}

function earlier(file: string): Tried[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Tried[];
}

interface Options {
  readonly only: RegExp;
  readonly type: string | undefined;
  readonly json: string | undefined;
  readonly resume: boolean;
}

function options(): Options {
  try {
    const named = { type: 'string' } as const;
    const known = { only: named, type: named, json: named, resume: { type: 'boolean', default: false } } as const;
    const { values } = parseArgs({ options: known });
    return { only: new RegExp(values.only ?? '', 'i'), type: values.type, json: values.json, resume: values.resume };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    return process.exit(2);
  }
}
