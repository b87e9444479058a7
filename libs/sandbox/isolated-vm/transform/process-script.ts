// The script for a process of transforms: the compiled one, or one bundled from the sources if the product runs there.
import { buildSync } from 'esbuild';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsFromSource } from '../guest-bundle.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'process');
let nodeArgs: readonly string[] | undefined;

/** Arguments of Node that run the script; without machine code Node cannot run TypeScript itself. */
export function processScript(): readonly string[] {
  nodeArgs ??= runsFromSource ? ['--input-type=module', '--eval', bundleScript()] : [join(folder, 'main.js')];
  return nodeArgs;
}

function bundleScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, 'main.ts')],
    tsconfigRaw: {},
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // isolated-vm is resolved from here.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    minify: true,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
