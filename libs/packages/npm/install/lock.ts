// The lock: what a program's packages were resolved to, as npm's own lockfile says it, without places and secrets.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PackageVersion } from '../../packages.ts';
import type { Dependencies } from './specifiers.ts';

/** A package of a lockfile of version 3, by the path that it is installed at. */
export interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
  /** Its own name, where it stands under another one. */
  readonly name?: string;
  readonly [field: string]: unknown;
}

export interface Locked {
  readonly dependencies: Dependencies;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** What resolving again needs to come to the same tree. */
const kept: ReadonlySet<string> = new Set([
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

const path = /^node_modules\/[\w@./~-]+$/;
const isSafe = (location: string): boolean => path.test(location) && !location.split('/').includes('..');

export function lockOf(dependencies: Dependencies, packages: Readonly<Record<string, object>>): string {
  const entries = Object.entries(packages).filter(([location]) => location !== '');
  const lean = entries.map(([location, one]) => {
    return [location, Object.fromEntries(Object.entries(one).filter(([field]) => kept.has(field)))] as const;
  });
  return JSON.stringify({ dependencies, packages: Object.fromEntries(lean) });
}

/** Throws on what no lock of ours can hold: a place to fetch from, a path out of the tree. */
export function parseLock(text: string): Locked {
  const locked = JSON.parse(text) as Locked;
  for (const [location, one] of Object.entries(locked.packages)) {
    if (!isSafe(location))
      throw new Error(`The lock names ${JSON.stringify(location)}, which is no place for a package`);
    if ('resolved' in one || 'link' in one) throw new Error(`The lock says where to fetch ${location}`);
  }
  return locked;
}

/** Of the largest tree, with room to spare. */
const textBytesMax = 4 * 1024 * 1024;

/** For those who keep it: a fifth of its size. */
export const packLock = async (lock: string): Promise<string> => (await promisify(gzip)(lock)).toString('base64');

/** Undefined: it is none that `packLock` has made. */
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

/** Each once, by name and version. */
export function versionsIn({ packages }: Locked): readonly PackageVersion[] {
  const all = Object.entries(packages).map(([at, { name, version }]) => ({ name: name ?? nameAt(at), version }));
  const known = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...known.values()].toSorted((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  );
}
