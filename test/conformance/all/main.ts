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
import type { ConformanceResult } from './report.ts';
import { importsOf, tierOf } from './tiers.ts';

const usage = `usage: npm run conformance -- [--only PATTERN] [--type source|action] [--json FILE] [--resume]
  --only PATTERN  the apps whose name matches
  --type TYPE     sources or actions alone
  --json FILE     writes each result to the file
  --resume        leaves out what the file has
`;
/** For a build and what waits for it on a busy machine. */
const refusalTimeoutMs = 300_000;
/** Wait before asking again for a component that is still being described. */
const retryPauseMs = 1_000;
/** Error codes after which the request is sent again. */
const retryCodes = ['unavailable', 'busy', 'too_many_requests'];
/** Builds at a time, each of which is a child process. */
const concurrency = 2;

endWithNpm();
const { only, type, json, resume } = parseOptions();
const packages = await ComponentPackages.fetch(removeLater(mkdtempSync(join(tmpdir(), 'components-'))), only);
const product = await Product.start({ env: npmEnvironment() });
const results: ConformanceResult[] = resume && json !== undefined && existsSync(json) ? readResults(json) : [];
const wanted = packages.components.filter((component) => type === undefined || component.type === type);
const doneSpecifiers = new Set(results.map(({ specifier }) => specifier));
try {
  const apiKey = await product.apiKey();
  const queue = wanted.filter(({ specifier }) => !doneSpecifiers.has(specifier));
  await Promise.all(Array.from({ length: concurrency }, () => describeQueue(queue, apiKey)));
} finally {
  await product.remove();
}
console.log(report(results, packages.missing));
process.exit(results.length > 0 ? 0 : 1);

async function describeQueue(queue: ComponentFile[], apiKey: string): Promise<void> {
  for (let component = queue.shift(); component !== undefined; component = queue.shift()) {
    const imports = await importsOf(component.file, (specifier) => packages.fileOf(specifier));
    const startedAt = performance.now();
    const refusal = await refusalOf(component, apiKey);
    const durationMs = Math.round(performance.now() - startedAt);
    results.push({ ...component, tier: tierOf(imports), imports: [...imports].sort(), refusal, durationMs });
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
    process.stderr.write(`${results.length}/${wanted.length} ${component.key}: ${refusal ?? 'described'}\n`);
  }
}

/** The product's refusal of a component; undefined: it is described. Asks again while the answer is not ready. */
async function refusalOf({ specifier }: ComponentFile, apiKey: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(refusalTimeoutMs);
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
      if (!retryCodes.includes(code)) return error ?? `status ${response.status}`;
      await sleep(retryPauseMs, undefined, { signal });
    }
  } catch (error) {
    return `no answer: ${(error as Error).message}`;
  }
}

/** The environment variables that set npm's registry and proxies. */
function npmEnvironment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).filter(([name]) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_.*)$/i.test(name),
  );
  return Object.fromEntries(entries.map(([name, value = '']) => [name, value]));
}

function readResults(file: string): ConformanceResult[] {
  return JSON.parse(readFileSync(file, 'utf8')) as ConformanceResult[];
}

interface Options {
  readonly only: RegExp;
  readonly type: string | undefined;
  readonly json: string | undefined;
  readonly resume: boolean;
}

function parseOptions(): Options {
  try {
    const text = { type: 'string' } as const;
    const definitions = { only: text, type: text, json: text, resume: { type: 'boolean', default: false } } as const;
    const { values } = parseArgs({ options: definitions });
    return { only: new RegExp(values.only ?? '', 'i'), type: values.type, json: values.json, resume: values.resume };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    return process.exit(2);
  }
}
