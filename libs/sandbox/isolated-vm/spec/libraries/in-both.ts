// Bundles a program with its libraries once and runs it twice: by Node in a separate thread, and by a component.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { providedEntries } from '../../../../packages/platform/provided.ts';
import type { Bundle } from '../../../../packages/packages.ts';
import type { Sandbox } from '../../../sandbox.ts';

/** A program: its imports, and a body that returns what is compared; `origin` is the server's. */
export interface LibraryProgram {
  readonly imports: string;
  readonly body: string;
}

/** `tried` returns the parts of a rejection that code relies on. */
const helpers = `const tried = async (act) => { try { return await act(); } catch (error) {
  return { name: error.name, code: error.code ?? null, status: error.response?.status ?? error.status ?? null }; } };
const textOf = async (stream) => { const parts = []; for await (const part of stream) parts.push(Buffer.from(part)); return Buffer.concat(parts).toString(); };`;

/** Bundles as for a component: for Node, with its builtins left to \`require\`, and names kept. */
async function bundleProgram(contents: string): Promise<Bundle> {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, sourcefile: 'component.mjs', loader: 'js' },
    alias: { ...providedEntries },
    outfile: 'component.js',
    sourcemap: 'external',
    sourcesContent: false,
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'es2024',
    logLevel: 'silent',
    supported: { 'dynamic-import': false },
    tsconfigRaw: {},
    keepNames: true,
    legalComments: 'none',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { js: text('.js'), map: text('.map') };
}

const component = ({ imports, body }: LibraryProgram): string =>
  `${imports}\n${helpers}\nexport default { name: 'a', version: '1',
    async run({ origin }) { this.$emit((await (async () => { ${body}\n })()) ?? null); } };`;

async function inNode({ js }: Bundle, origin: string): Promise<unknown> {
  const script = `const { parentPort, workerData } = require('worker_threads'); const module = { exports: {} };
    (function (require, module, exports) {\n${js}\n})(require, module, module.exports);
    const emitted = (event) => parentPort.postMessage(JSON.stringify({ event }));
    module.exports.default.run.call({ $emit: emitted }, { origin: workerData })
      .catch((error) => parentPort.postMessage(JSON.stringify({ error: error.stack })));`;
  const worker = new Worker(script, { eval: true, workerData: origin });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', () => reject(new Error('Node had nothing left to do, and no result')));
    return JSON.parse(await promise) as unknown;
  } finally {
    await worker.terminate();
  }
}

async function inComponent(sandbox: Sandbox, bundle: Bundle, origin: string): Promise<unknown> {
  const { end, error, emits } = await sandbox.invoke({
    sourceId: `dc_library_${bundle.js.length}`,
    revision: 1,
    bundle: async () => bundle,
    what: 'run',
    event: { origin },
    props: {},
    db: () => ({}),
    onRespond: () => {},
  });
  return end === 'finished' ? { event: emits[0]?.event } : { error: `${end}: ${error?.stack ?? error?.message}` };
}

export async function inBoth(
  program: LibraryProgram,
  sandbox: Sandbox,
  origin: string,
): Promise<{ readonly node: unknown; readonly component: unknown }> {
  const bundle = await bundleProgram(component(program));
  return { node: await inNode(bundle, origin), component: await inComponent(sandbox, bundle, origin) };
}
