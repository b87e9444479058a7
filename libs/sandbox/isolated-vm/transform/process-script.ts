// What a process of transforms runs: its compiled script, or one made of the sources when the product runs from these.
import { buildSync } from 'esbuild';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsFromSource } from '../guest-bundle.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'process');
let made: readonly string[] | undefined;

/** Arguments of Node, which cannot run TypeScript itself where it makes no machine code. */
export function processScript(): readonly string[] {
  made ??= runsFromSource ? ['--input-type=module', '--eval', bundled()] : [join(folder, 'main.js')];
  return made;
}

function bundled(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, 'main.ts')],
    tsconfigRaw: {},
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // isolated-vm is found from here.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    minify: true,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
