// Starts one installer process, with its limits and permissions, for one install.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../../primitives/files/program-file.ts';
import { JobProcess } from '../../../primitives/worker-pool/job-process.ts';
import type { InstallJob, InstallLimits, InstallResult } from './install-protocol.ts';

const MiB = 1024 * 1024;

export const installLimits: InstallLimits = {
  timeMs: 120_000,
  // 1 GiB in addition to what Node reserves.
  dataKiB: (1024 + 512) * 1024,
  unpackedBytes: 200 * MiB,
  // Ten times as many as a large SDK has.
  filesMax: 40_000,
  packagesMax: 1_500,
  // A large SDK and its metadata take a tenth of it.
  fetchedBytes: 1_024 * MiB,
};

/** Enough for the metadata of some hundred packages; their files, while being unpacked, are not in the heap. */
const heapMb = 640;

const here = dirname(fileURLToPath(import.meta.url));
const script = fileURLToPath(programUrl(import.meta.url, './process/main'));
const libs = join(here, '../../..');

/** The node_modules folder that contains npm's packages, which resolve each other there. */
const modules = join(dirname(createRequire(import.meta.url).resolve('@npmcli/arborist/package.json')), '../..');

/** The folders in which Node looks for packages, from `folder` upwards; one can be a link to the folder above. */
const moduleFolders = (folder: string): readonly string[] =>
  dirname(folder) === folder
    ? []
    : [
        ...(existsSync(join(folder, 'node_modules')) ? [join(folder, 'node_modules')] : []),
        ...moduleFolders(dirname(folder)),
      ];

/** Permissions to read code and to write in `directory`, but none for processes, threads and native code. */
function permissionFlags(directory: string): string[] {
  const readable = [libs, modules, ...moduleFolders(here), directory].map((folder) => join(folder, '*'));
  const flags = ['--permission', '--disable-warning=SecurityWarning', `--allow-fs-write=${join(directory, '*')}`];
  return [...flags, ...readable.map((path) => `--allow-fs-read=${path}`)];
}

export interface InstallerOptions {
  readonly directory: string;
  readonly limits: InstallLimits;
  /** A file of certificates that Node trusts in addition to its own. */
  readonly authoritiesFile?: string | undefined;
}

/** Can be repeated, because another try need not fetch everything again. */
const timeoutResult = ({ timeMs }: InstallLimits): InstallResult => ({
  kind: 'failed',
  message:
    `The packages could not be installed within ${timeMs / 1_000} s: ` +
    'look whether the registry is slow, or import fewer packages',
  again: true,
});

/** A process for one job. */
export class InstallerProcess extends JobProcess<InstallJob, InstallResult> {
  constructor({ directory, limits, authoritiesFile }: InstallerOptions) {
    super({
      args: [`--max-old-space-size=${heapMb}`, ...permissionFlags(directory), script],
      dataKiB: limits.dataKiB,
      timeMs: limits.timeMs,
      timeoutResult: timeoutResult(limits),
      cwd: directory,
      env: authoritiesFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: authoritiesFile },
    });
  }
}
