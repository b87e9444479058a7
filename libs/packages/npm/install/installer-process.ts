// One installer process: what it may take and touch, and how it is started; it does one install.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JobProcess } from '../../../primitives/worker-pool/job-process.ts';
import type { InstallJob, InstallLimits, InstallResult } from './install-protocol.ts';

const MiB = 1024 * 1024;

export const installLimits: InstallLimits = {
  timeMs: 120_000,
  // 1 GiB beside what Node reserves.
  dataKiB: (1024 + 512) * 1024,
  unpackedBytes: 200 * MiB,
  // Ten times what a large SDK has.
  filesMax: 40_000,
  packagesMax: 1_500,
  // All that the cache keeps; a large SDK and its metadata take a tenth of it.
  fetchedBytes: 1_024 * MiB,
};

/** Metadata of some hundred packages, and their files while they are unpacked, which are no part of the heap. */
const heapMb = 640;

const here = dirname(fileURLToPath(import.meta.url));
const script = join(here, 'process', import.meta.url.endsWith('.ts') ? 'main.ts' : 'main.js');
const libs = join(here, '../../..');

/** The folder of node_modules that npm's parts stand in; they find each other there. */
const modules = join(dirname(createRequire(import.meta.url).resolve('@npmcli/arborist/package.json')), '../..');

/** Where Node looks for packages from here on upwards; one of them may be a link to the folder above. */
const sought = (folder: string): readonly string[] =>
  dirname(folder) === folder
    ? []
    : [...(existsSync(join(folder, 'node_modules')) ? [join(folder, 'node_modules')] : []), ...sought(dirname(folder))];

/** It may read code, and write where trees are kept; it starts no process, no thread and no native code. */
function permissionFlags(directory: string): string[] {
  const readable = [libs, modules, ...sought(here), directory].map((folder) => join(folder, '*'));
  const flags = ['--permission', '--disable-warning=SecurityWarning', `--allow-fs-write=${join(directory, '*')}`];
  return [...flags, ...readable.map((path) => `--allow-fs-read=${path}`)];
}

export interface InstallerOptions {
  readonly directory: string;
  readonly limits: InstallLimits;
  /** A file of certificates that Node trusts beside its own. */
  readonly authoritiesFile?: string | undefined;
}

/** Another try need not fetch again what this one has. */
const late = ({ timeMs }: InstallLimits): InstallResult => ({
  kind: 'failed',
  message:
    `The packages could not be installed within ${timeMs / 1_000} s: ` +
    'look whether the registry is slow, or import fewer packages',
  again: true,
});

/** For one job. */
export class InstallerProcess extends JobProcess<InstallJob, InstallResult> {
  constructor({ directory, limits, authoritiesFile }: InstallerOptions) {
    super({
      args: [`--max-old-space-size=${heapMb}`, ...permissionFlags(directory), script],
      dataKiB: limits.dataKiB,
      timeMs: limits.timeMs,
      late: late(limits),
      cwd: directory,
      env: authoritiesFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: authoritiesFile },
    });
  }
}
