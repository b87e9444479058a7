// Builds a separate package of the verifier, for auditors who run neither the service nor `pd`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const sourceDir = join(rootDir, 'libs', 'verifier');
const packageDir = join(rootDir, 'dist', 'verifier');
const { version, license } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8'));

rmSync(packageDir, { recursive: true, force: true });
const tsc = join(rootDir, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', sourceDir], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
copyFileSync(join(sourceDir, 'README.md'), join(packageDir, 'README.md'));

const manifest = {
  name: 'wellspring-verifier',
  version,
  description: "Shows whether an export of Wellspring's history is whole and unchanged",
  ...(license === undefined ? {} : { license }),
  type: 'module',
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  engines: { node: '>=20.12' },
};
writeFileSync(join(packageDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
