// Finds the components of npm packages and their keys: installs a package as for a build, and reads its files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComponentsFound, ComponentsOutcome, PackageVersion } from '../../packages.ts';
import type { Installer } from '../install/installer.ts';
import { componentsIn } from './scan.ts';

/** Packages whose components are cached, at most some hundred kilobytes each. */
const cachedMax = 50;

export class PackageRegistry {
  readonly #installer: Pick<Installer, 'install'>;
  /** By name and version, because a version's contents never change. */
  readonly #cached = new Map<string, ComponentsFound>();

  constructor(installer: Pick<Installer, 'install'>) {
    this.#installer = installer;
  }

  /** Never rejects. */
  async components(name: string, caller: string): Promise<ComponentsOutcome> {
    const specifier = { name, range: undefined, subPath: '.' };
    const outcome = await this.#installer.install([specifier], null, caller);
    if (outcome.kind === 'refused') return { kind: 'refused', error: errorOf(outcome.message) };
    if (outcome.kind === 'failed') return { kind: 'failed', error: errorOf(outcome.message), again: outcome.again };
    try {
      return await this.#read(join(outcome.folder, 'node_modules', name), name);
    } catch (error) {
      const message = `${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'it is damaged'}`;
      return { kind: 'failed', error: errorOf(message), again: true };
    }
  }

  async #read(folder: string, name: string): Promise<ComponentsFound> {
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageVersion;
    const id = `${name}@${version}`;
    const found = this.#cached.get(id) ?? {
      kind: 'found',
      package: { name, version },
      components: await componentsIn(folder),
    };
    this.#cached.delete(id);
    this.#cached.set(id, found);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= cachedMax) break;
      this.#cached.delete(oldest);
    }
    return found;
  }
}

const errorOf = (message: string): { readonly name: string; readonly message: string } => ({
  name: 'PackageError',
  message,
});
