// The bundles of the apps use Node's HTTP modules without loading Node's own client, `fetch`, at their start.
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { execFileSync } from 'node:child_process';

const file = new URL('../../../deploy/local/bundling/required-http.mjs', import.meta.url).href;
const { requiredHttp } = (await import(file)) as { readonly requiredHttp: Plugin };

/** What a bundle prints that imports the modules in every form, with these plugins. */
async function printedWith(plugins: Plugin[]): Promise<unknown> {
  const contents = `
    import { METHODS } from 'node:http';
    import * as http from 'http';
    import https from 'node:https';
    const again = await import('node:http');
    const clients = process.moduleLoadList.filter((name) => name.includes('undici'));
    console.log(JSON.stringify({ same: [http.METHODS, again.METHODS].every((one) => one === METHODS), get: typeof https.get, clients }));`;
  const { outputFiles } = await build({
    stdin: { contents },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  });
  const [{ text } = { text: '' }] = outputFiles;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' }));
}

test('a bundle that uses HTTP modules does not load the client of Node', async () => {
  expect(await printedWith([requiredHttp])).toEqual({ same: true, get: 'function', clients: [] });
});

test('without that, it does', async () => {
  const clients = expect.arrayContaining([expect.stringContaining('undici')]);
  expect(await printedWith([])).toEqual({ same: true, get: 'function', clients });
});
