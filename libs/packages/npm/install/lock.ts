// Reads and packs locks: a program's resolved packages in the form of npm's lockfile, without URLs and secrets.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PackageVersion } from '../../packages.ts';
import type { Dependencies } from './specifiers.ts';

/** A package of a lockfile of version 3, where its key is the install path. */
export interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
  /** The package's own name, if it is installed under an alias. */
  readonly name?: string;
  readonly [field: string]: unknown;
}

export interface ParsedLock {
  readonly dependencies: Dependencies;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The fields that are needed to resolve to the same tree again. */
const lockFields: ReadonlySet<string> = new Set([
  'name',
  'version',
  'integrity',
  'optional',
  'peer',
  'os',
  'cpu',
  'libc',
  'inBundle',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bundleDependencies',
]);

const packagePath = /^node_modules\/[\w@./~-]+$/;
const isSafe = (location: string): boolean => packagePath.test(location) && !location.split('/').includes('..');

export function lockOf(dependencies: Dependencies, packages: Readonly<Record<string, object>>): string {
  const entries = Object.entries(packages).filter(([location]) => location !== '');
  const slimmed = entries.map(([location, one]) => {
    return [location, Object.fromEntries(Object.entries(one).filter(([field]) => lockFields.has(field)))] as const;
  });
  return JSON.stringify({ dependencies, packages: Object.fromEntries(slimmed) });
}

/** Throws for contents that a lock of the service never has: a URL to fetch from, or a path out of the tree. */
export function parseLock(text: string): ParsedLock {
  const locked = JSON.parse(text) as ParsedLock;
  for (const [location, one] of Object.entries(locked.packages)) {
    if (!isSafe(location))
      throw new Error(`The lock names ${JSON.stringify(location)}, which is no place for a package`);
    if ('resolved' in one || 'link' in one) throw new Error(`The lock says where to fetch ${location}`);
  }
  return locked;
}

/** More than the lock of the largest tree. */
const textBytesMax = 4 * 1024 * 1024;

/** Compresses a lock for storing, to a fifth of its size. */
export const packLock = async (lock: string): Promise<string> => (await promisify(gzip)(lock)).toString('base64');

/** Undefined: it was not made by `packLock`. */
export async function unpackLock(packed: string): Promise<string | undefined> {
  try {
    const lock = String(await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: textBytesMax }));
    parseLock(lock);
    return lock;
  } catch {
    return undefined;
  }
}

export const hashOf = (lock: string): string => createHash('sha256').update(lock).digest('hex');

const nameAt = (location: string): string => location.slice(location.lastIndexOf('node_modules/') + 13);

/** All packages, each name and version once. */
export function versionsIn({ packages }: ParsedLock): readonly PackageVersion[] {
  const all = Object.entries(packages).map(([at, { name, version }]) => ({ name: name ?? nameAt(at), version }));
  const unique = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.values()].toSorted((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  );
}
