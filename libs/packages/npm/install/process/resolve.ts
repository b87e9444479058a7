// Resolves dependencies to a tree of packages by npm's own rules, with the service's packages already installed.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockOf, parseLock } from '../lock.ts';
import type { InstallJob } from '../install-protocol.ts';
import { RefusedInstallError } from './install-errors.ts';
import { Arborist } from './npm.ts';
import type { TreeNode } from './npm.ts';

/** Higher than any requested version, and never shown. */
const providedVersion = '999.0.0';

export interface ResolvedPackages {
  readonly lock: string;
  /** The packages to fetch. */
  readonly nodes: readonly TreeNode[];
}

/** The options of all fetches: only packages of a registry, and without the operator's own npm cache. */
export function fetchOptions({ workplace, registry }: InstallJob): object {
  return {
    ...registry,
    cache: workplace.cache,
    tufCache: join(workplace.folder, 'tuf'),
    allowGit: 'none',
    allowRemote: 'none',
    allowFile: 'none',
    allowDirectory: 'none',
    ignoreScripts: true,
    audit: false,
    fund: false,
    timeout: 30_000,
    retry: { retries: 1, factor: 2, minTimeout: 250, maxTimeout: 1_000 },
  };
}

/** Writes the files of a project for npm. Provided packages are installed in it, so that they are never fetched. */
async function writeProject(folder: string, job: InstallJob): Promise<void> {
  const { dependencies, provided, lock } = job;
  const overrides = Object.fromEntries(provided.map((name) => [name, providedVersion]));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies, overrides }));
  const providedPackages = provided.map((name) => [`node_modules/${name}`, { version: providedVersion }] as const);
  if (lock !== null) {
    const locked = parseLock(lock);
    const packages = {
      '': { dependencies: locked.dependencies },
      ...Object.fromEntries(providedPackages),
      ...locked.packages,
    };
    const lockfile = { lockfileVersion: 3, requires: true, packages };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
    return;
  }
  for (const name of provided) {
    const packageFolder = join(folder, 'node_modules', name);
    await mkdir(packageFolder, { recursive: true });
    await writeFile(join(packageFolder, 'package.json'), JSON.stringify({ name, version: providedVersion }));
  }
}

/** An optional package for certain machines contains native code, which no isolate can load. */
const isNative = ({ optional, package: { os, cpu, libc } }: TreeNode): boolean =>
  optional && (os !== undefined || cpu !== undefined || libc !== undefined);

export async function resolve(job: InstallJob): Promise<ResolvedPackages> {
  const { project: folder } = job.workplace;
  await writeProject(folder, job);
  const arborist = new Arborist({
    ...fetchOptions(job),
    path: folder,
    // With a lock, only packages that it lacks are requested.
    ...(job.lock === null ? {} : { preferOffline: true }),
    // Packages that need different versions of a third one each receive their own.
    force: true,
    omitLockfileRegistryResolved: true,
    lockfileVersion: 3,
  });
  const tree = await arborist.buildIdealTree();
  const nodes = [...tree.inventory.values()].filter(
    (node) => node.location !== '' && !node.inBundle && !job.provided.includes(node.packageName ?? ''),
  );
  for (const node of nodes) {
    if (node.isLink || node.version === null || node.integrity === null) {
      throw new RefusedInstallError(`${node.packageName ?? node.location} comes from no registry, which packages must`);
    }
  }
  if (nodes.length > job.limits.packagesMax) {
    throw new RefusedInstallError(`It needs ${nodes.length} packages; at most ${job.limits.packagesMax} are taken`);
  }
  const { packages } = JSON.parse(tree.meta.toString()) as { packages: Record<string, object> };
  for (const name of job.provided) delete packages[`node_modules/${name}`];
  return { lock: lockOf(job.dependencies, packages), nodes: nodes.filter((node) => !isNative(node)) };
}
