// A step of the build: `pd` as one file, in a package of its own that `npm install -g` takes.
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
  // The imports of an ESM file are all loaded before it begins, half of Node's modules for axios among them.
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
