// The packages that the service itself provides to the bundler, with their files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const entry = (name: string): string => join(here, `${name}.${extension}`);

/** The file to bundle, by the name that components import, in any version. */
export const providedEntries: Readonly<Record<string, string>> = {
  '@pipedream/platform': entry('platform'),
  // Its first name.
  '@pipedreamhq/platform': entry('platform'),
  '@pipedream/types': entry('types'),
  // The original opens sockets, which an isolate does not have.
  undici: entry('undici/undici'),
};

/** The packages of npm that these files import. */
const importedPackages: readonly string[] = ['axios', 'form-data', 'mime-types'];

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Some name here alone what they use if it is there. */
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
}

/** Name and version of each package that can become a part of a bundle with these files, by its manifest's path. */
export function versionsInside(names: readonly string[] = importedPackages): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  const open = names.map((name) => ({ name, from: import.meta.url }));
  for (const { name, from } of open) {
    const path = manifestOf(name, from);
    if (path === undefined || versions.has(path)) continue;
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    versions.set(path, `${name} ${manifest.version ?? ''}`);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
    const used = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...peerDependenciesMeta };
    open.push(...Object.keys(used).map((dependency) => ({ name: dependency, from: path })));
  }
  return versions;
}

/** Undefined: it is not installed, as an optional package need not be. */
function manifestOf(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * Changes with what becomes a part of each bundle: the service's own text of these packages, and the versions of the
 * packages that it is built from.
 */
export function providedDigest(folder = here, versions: Iterable<string> = versionsInside().values()): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith(`.${extension}`)).sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0');
  for (const version of [...versions].sort()) hash.update(`${version}\0`);
  return hash.digest('hex');
}
