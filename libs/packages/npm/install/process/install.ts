// One install: resolves, and unpacks the tree unless it is there already.
import { rm } from 'node:fs/promises';
import { hashOf } from '../lock.ts';
import type { InstallJob, InstallResult } from '../install-protocol.ts';
import { newDraft, placeTree, readRecord, treeFolder, writePackage } from '../../trees/tree.ts';
import type { TreeRecord } from '../../trees/tree.ts';
import { resultOf } from './install-errors.ts';
import type { TreeNode } from './npm.ts';
import { fetchOptions, resolve } from './resolve.ts';
import { Allowance, fetchPackage } from './unpack.ts';

/** Packages under way at once: more would not be quicker, and each holds its files until it is written. */
const fetchesMax = 8;

/** `name@range` of what npm says it failed for; otherwise all that was asked for. */
function subjectOf(error: unknown, { dependencies }: InstallJob): string {
  const { pkgid, spec, wanted } = (error ?? {}) as { pkgid?: unknown; spec?: unknown; wanted?: unknown };
  const named = [pkgid, spec, wanted].find((one) => typeof one === 'string' && /^@?[\w.~-]+/.test(one));
  if (typeof named === 'string') return named.replace(/^(?:registry|remote):/, '');
  const all = Object.entries(dependencies).map(([name, range]) =>
    range.startsWith('npm:') ? range.slice(4) : `${name}@${range}`,
  );
  return all.slice(0, 5).join(', ');
}

/** Into `draft`. Fails at the first package that fails. */
async function unpackAll(draft: string, nodes: readonly TreeNode[], job: InstallJob): Promise<TreeRecord> {
  const allowance = new Allowance(job.limits);
  const options = fetchOptions(job);
  const hashes = new Map<string, string>();
  const waiting = [...nodes];
  let bytes = 0;
  const unpack = async (node: TreeNode): Promise<void> => {
    const files = await fetchPackage(node, options, allowance);
    bytes += await writePackage(draft, node.location, files, hashes);
  };
  const work = async (): Promise<void> => {
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const name = `${node.packageName}@${node.version}`;
      await unpack(node).catch((error: Error) => {
        throw Object.assign(error, { pkgid: name });
      });
    }
  };
  await Promise.all(Array.from({ length: fetchesMax }, work));
  return { bytes, hashes: Object.fromEntries(hashes) };
}

async function makeTree(draft: string, job: InstallJob): Promise<InstallResult> {
  const { lock, nodes } = await resolve(draft, job);
  const folder = treeFolder(job.directory, hashOf(lock));
  if ((await readRecord(folder)) !== undefined) return { kind: 'installed', lock };
  const tree = await newDraft(job.directory);
  try {
    await placeTree(tree, folder, await unpackAll(tree, nodes, job));
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
  return { kind: 'installed', lock };
}

async function inDraft(job: InstallJob): Promise<InstallResult> {
  const draft = await newDraft(job.directory);
  try {
    return await makeTree(draft, job);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

export const install = (job: InstallJob): Promise<InstallResult> =>
  inDraft(job).catch((error: unknown) => resultOf(error, subjectOf(error, job)));
