// Makes a clone ready to run: installs the locked dependencies, including Node 24, and builds dist/. Needs only Node 20
// and npm.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './installed.mjs';
import { filesUnder, fingerprint } from './sources.mjs';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const distDir = join(rootDir, 'dist');
const stampFile = join(distDir, '.sources');
const buildInfoFile = join(distDir, '.tsbuildinfo');
const ownNode = join(rootDir, 'node_modules', '.bin', 'node');
const nodeMajorMin = 24;

install();
build();
linkCli();

function install() {
  if (isInstalled(rootDir)) return;
  process.stderr.write('Installing dependencies, once ...\n');
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm === undefined ? ['npm'] : [process.execPath, npm];
  run([command, ...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  run([node(), '-e', `if (parseInt(process.versions.node) < ${nodeMajorMin}) process.exit(1)`]);
}

function build() {
  const sources = fingerprint(rootDir);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOf(sources)) return;
  process.stderr.write('Building ...\n');
  rmSync(stampFile, { force: true });
  mkdirSync(distDir, { recursive: true });
  removeOutputsWithoutSource();
  // Types are checked by `npm run check`: users who only run the product need not wait for that.
  const tsc = join(rootDir, 'node_modules', 'typescript', 'bin', 'tsc');
  run([node(), tsc, '-p', 'tsconfig.build.json', '--noCheck']);
  for (const step of ['bundle-guest.mjs', 'bundle-apps.mjs', 'bundle-cli.mjs', 'bundle-console.mjs'])
    run([node(), join(rootDir, 'deploy', 'local', step)]);
  writeFileSync(stampFile, stampOf(sources));
}

/** For `npx pd`. A `bin` in package.json would make npx install the whole project again, elsewhere. */
function linkCli() {
  const binDir = join(rootDir, 'node_modules', '.bin');
  const link = join(binDir, 'pd');
  if (existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(relative(binDir, join(distDir, 'pd', 'pd.cjs')), link);
}

/** Returns a stamp of the sources and of tsc's build info, since other builds might have run in the meantime. */
function stampOf(sources) {
  const built = existsSync(buildInfoFile) ? readFileSync(buildInfoFile) : '';
  return `${sources} ${createHash('sha256').update(built).digest('hex')}`;
}

/** The outputs of a deleted source would still be found by name; other builds empty their own folders. */
function removeOutputsWithoutSource() {
  const bundles = ['console', 'run', 'verifier'].map((name) => join(distDir, name, '/'));
  const compiled = (path) => /\.js(\.map)?$/.test(path) && !bundles.some((dir) => path.startsWith(dir));
  for (const output of filesUnder(distDir).filter(compiled)) {
    const source = relative(distDir, output).replace(/\.js(\.map)?$/, '.ts');
    if (!existsSync(join(rootDir, source))) rmSync(output);
  }
}

/** Returns the Node of the dependencies; if there is none, the one that runs this. */
function node() {
  if (existsSync(ownNode)) return ownNode;
  if (parseInt(process.versions.node) >= nodeMajorMin) return process.execPath;
  return fail(
    `Node ${nodeMajorMin} comes with the dependencies on Linux (x64 and arm64, glibc) only. ` +
      `Here it is ${process.platform} ${process.arch} with Node ${process.versions.node}: install Node ${nodeMajorMin} and run this again.`,
  );
}

/** Runs a command without showing its output, unless it fails. */
function run([command, ...args]) {
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, { cwd: rootDir, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  fail(`${[command, ...args].join(' ')} ended with ${error?.message ?? signal ?? status}`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
