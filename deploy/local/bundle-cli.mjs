// A step of the build: bundles `pd` into one file, in a separate package for `npm install -g`.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const packageDir = join(rootDir, 'dist', 'pd');
const bundle = join(packageDir, 'pd.cjs');
const { version, license } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8'));
const nodeMajorMin = 20;

mkdirSync(packageDir, { recursive: true });
await build({
  entryPoints: [join(rootDir, 'apps', 'cli', 'main.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  // All imports of an ESM file are loaded before it runs, including half of Node's modules, for axios.
  format: 'cjs',
  target: `node${nodeMajorMin}`,
  minify: true,
  keepNames: true,
  legalComments: 'none',
  define: { PD_VERSION: JSON.stringify(version) },
});
chmodSync(bundle, 0o755);

const manifest = {
  name: 'wellspring-pd',
  version,
  description: 'Wellspring from the terminal',
  ...(license === undefined ? {} : { license }),
  bin: { pd: './pd.cjs' },
  engines: { node: `>=${nodeMajorMin}.12` },
  files: ['pd.cjs'],
};
writeFileSync(join(packageDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
