// `npm run conformance`: every component that the scope's packages on npm hold is described by the built product, or refused with the cause.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Product } from '../../support/product.ts';
import { endWithNpm, removeLater } from '../../support/processes/left-behind.ts';
import { ComponentPackages } from './packages.ts';
import type { ComponentFile } from './packages.ts';
import { report } from './report.ts';
import type { Tried } from './report.ts';
import { importsOf, tierOf } from './tiers.ts';

const usage =
  'usage: npm run conformance -- [--only PATTERN] [--json FILE]\n  --only PATTERN  the apps whose name matches\n';
/** A build, and what waits for it on a busy machine. */
const limitMs = 300_000;
/** Builds at a time: each is a child process. */
const atOnce = 2;

endWithNpm();
const { only, json } = options();
const packages = await ComponentPackages.fetch(removeLater(mkdtempSync(join(tmpdir(), 'components-'))), only);
const product = await Product.start({ env: npmSettings() });
const tried: Tried[] = [];
try {
  const apiKey = await product.apiKey();
  const queue = [...packages.components];
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
    process.stderr.write(`${tried.length}/${packages.components.length} ${component.key}: ${refusal ?? 'described'}\n`);
  }
}

/** What the product says against it; undefined: it describes it. */
async function refusalOf({ specifier }: ComponentFile, apiKey: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${product.baseUrl}/v1/components`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ component_code: `export { default } from ${JSON.stringify(specifier)};\n` }),
      signal: AbortSignal.timeout(limitMs),
    });
    const { error } = (await response.json()) as { readonly error?: string };
    return response.ok ? undefined : (error ?? `status ${response.status}`);
  } catch (error) {
    return `no answer: ${(error as Error).message}`;
  }
}

/** The registry that npm itself would ask, in the way that it would take. */
function npmSettings(): Readonly<Record<string, string>> {
  const wanted = Object.entries(process.env).filter(([name]) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_.*)$/i.test(name),
  );
  return Object.fromEntries(wanted.map(([name, value = '']) => [name, value]));
}

function options(): { readonly only: RegExp; readonly json: string | undefined } {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
    return { only: new RegExp(values.only ?? '', 'i'), json: values.json };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    return process.exit(2);
  }
}
