// Runs one install: resolves the packages, and unpacks the tree unless it already exists.
import { hashOf } from '../lock.ts';
import type { InstallJob, InstallResult } from '../install-protocol.ts';
import { placeTree, readRecord, treeFolder, writePackage } from '../../trees/tree.ts';
import type { TreeRecord } from '../../trees/tree.ts';
import { resultOf } from './install-errors.ts';
import type { TreeNode } from './npm.ts';
import { fetchOptions, resolve } from './resolve.ts';
import { UnpackBudget, fetchPackage } from './unpack.ts';

/** Concurrent packages: more would not be faster, and each keeps its files in memory until they are written. */
const fetchesMax = 8;

/** The `name@range` for which npm failed, or else all requested packages. */
function subjectOf(error: unknown, { dependencies }: InstallJob): string {
  const { pkgid, spec, wanted } = (error ?? {}) as { pkgid?: unknown; spec?: unknown; wanted?: unknown };
  const reported = [pkgid, spec, wanted].find((one) => typeof one === 'string' && /^@?[\w.~-]+/.test(one));
  if (typeof reported === 'string') return reported.replace(/^(?:registry|remote):/, '');
  const all = Object.entries(dependencies).map(([name, range]) =>
    range.startsWith('npm:') ? range.slice(4) : `${name}@${range}`,
  );
  return all.slice(0, 5).join(', ');
}

/** Unpacks into the workplace. Rejects at the first package that fails, while others are still under way. */
async function unpackAll(nodes: readonly TreeNode[], job: InstallJob): Promise<TreeRecord> {
  const budget = new UnpackBudget(job.limits);
  const options = fetchOptions(job);
  const hashes = new Map<string, string>();
  const queue = [...nodes];
  let bytes = 0;
  const unpack = async (node: TreeNode): Promise<void> => {
    const files = await fetchPackage(node, options, budget);
    bytes += await writePackage(job.workplace.tree, node.location, files, hashes);
  };
  const runWorker = async (): Promise<void> => {
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      const name = `${node.packageName}@${node.version}`;
      await unpack(node).catch((error: Error) => {
        throw Object.assign(error, { pkgid: name });
      });
    }
  };
  await Promise.all(Array.from({ length: fetchesMax }, runWorker));
  return { bytes, hashes: Object.fromEntries(hashes) };
}

async function makeTree(job: InstallJob): Promise<InstallResult> {
  const { lock, nodes } = await resolve(job);
  const folder = treeFolder(job.directory, hashOf(lock));
  if ((await readRecord(folder)) !== undefined) return { kind: 'installed', lock };
  await placeTree(job.workplace.tree, folder, await unpackAll(nodes, job));
  return { kind: 'installed', lock };
}

/** Does not clean the workplace; work that is under way after a failure ends with this process. */
export const install = (job: InstallJob): Promise<InstallResult> =>
  makeTree(job).catch((error: unknown) => resultOf(error, subjectOf(error, job)));
