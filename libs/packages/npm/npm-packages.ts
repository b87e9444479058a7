// The packages port for npm registries: installs and bundles in separate processes, which a program can kill.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Packages } from '../packages.ts';
import type { BuildOptions, BuildOutcome, Built, Bundle, ComponentsOutcome, Program } from '../packages.ts';
import { providedEntries } from '../platform/provided.ts';
import { Compiler } from './compile/compile.ts';
import type { Compilation } from './compile/compile.ts';
import { bundlerLimits } from './compile/process/compiler-process.ts';
import { Installer } from './install/installer.ts';
import type { InstallOutcome } from './install/installer.ts';
import { packLock, parseLock, unpackLock, versionsIn } from './install/lock.ts';
import type { Environment } from './install/npm-configuration.ts';
import { parseSpecifier, specifiersMax } from './install/specifiers.ts';
import { PackageRegistry } from './registry/npm-registry.ts';

export interface NpmPackagesOptions {
  /** For built and installed files; created if needed, and can be shared by several processes. */
  readonly cacheDir: string;
  /** npm's own configuration is read from this environment and the `.npmrc` files that it names. */
  readonly environment?: Environment;
  /** The project whose `.npmrc` is read; by default none. */
  readonly projectDir?: string;
  /** Private ranges that a registry may lead to by a redirect or a tarball's URL. */
  readonly egressAllow?: readonly string[];
  /** A file of certificates that are trusted in addition to Node's own. */
  readonly authoritiesFile?: string | undefined;
  /** Delay before processes are started that wait for builds; absent: the first builds start them. */
  readonly prepareAfterMs?: number;
  /** Called with a sentence when a process died. */
  readonly onTrouble?: (message: string) => void;
}

const closedOutcome: Exclude<BuildOutcome, Built> = {
  kind: 'failed',
  error: { name: 'CompileError', message: 'The service is being stopped; try again' },
  again: true,
};

/** Delay between the starts of processes before they are needed; each takes most of a processor for a moment. */
const staggerMs = 1_000;

/** Further installs of a build; each adds packages that others import without declaring them. */
const roundsMax = 5;

const refusal = (message: string): BuildOutcome => ({ kind: 'refused', error: { name: 'ImportError', message } });

const builtWithoutLock = (bundle: Bundle): BuildOutcome => ({ kind: 'built', bundle, lock: null, packages: [] });

async function builtWithLock(bundle: Bundle, lock: string): Promise<BuildOutcome> {
  return { kind: 'built', bundle, lock: await packLock(lock), packages: versionsIn(parseLock(lock)) };
}

const unreadableLock = 'Which versions of packages it was saved with cannot be read: deploy its code instead';

export class NpmPackages extends Packages {
  readonly #compiler: Compiler;
  readonly #bundler: Compiler;
  readonly #installer: Installer;
  readonly #registry: PackageRegistry;
  /** Outcomes by bundle, whose cache key includes the tree, so that the lock is compressed only once. */
  readonly #lockedOutcomes = new WeakMap<Bundle, Promise<BuildOutcome>>();
  #preparing: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: NpmPackagesOptions) {
    super();
    const { cacheDir, environment = {}, projectDir = cacheDir, egressAllow = [], authoritiesFile } = options;
    const { onTrouble = () => {}, prepareAfterMs } = options;
    this.#compiler = new Compiler({ cacheDir, onTrouble });
    this.#bundler = new Compiler({ cacheDir, onTrouble, limits: bundlerLimits });
    this.#installer = new Installer({
      directory: join(cacheDir, 'packages'),
      environment,
      folder: projectDir,
      egressAllow,
      authoritiesFile,
      provided: Object.keys(providedEntries),
      onTrouble,
    });
    this.#registry = new PackageRegistry(this.#installer);
    if (prepareAfterMs !== undefined) this.#prepare([this.#compiler, this.#bundler, this.#installer], prepareAfterMs);
  }

  /** Ids of the compilers, for measuring or killing them; each leads a process group with its esbuild. */
  get processIds(): readonly number[] {
    return [this.#compiler, this.#bundler, this.#installer].flatMap(({ processIds }) => processIds);
  }

  override async build(program: Program, { workspace = '', lock }: BuildOptions = {}): Promise<BuildOutcome> {
    if (this.#isClosed) return closedOutcome;
    const compilation = await this.#compiler.compile({ program, tree: null }, workspace);
    if (compilation.kind === 'compiled') return builtWithoutLock(compilation.compiled);
    if (compilation.kind !== 'needs') return outcomeOf(compilation);
    const { specifiers } = compilation;
    if (specifiers.length > specifiersMax) {
      return refusal(`It imports ${specifiers.length} packages; at most ${specifiersMax} are taken`);
    }
    const storedLock = lock === undefined ? null : await unpackLock(lock);
    return storedLock === undefined
      ? refusal(unreadableLock)
      : this.#buildWithPackages(program, specifiers, { workspace, lock: storedLock });
  }

  override async components(name: string, { workspace = '' }: BuildOptions = {}): Promise<ComponentsOutcome> {
    return this.#isClosed ? closedOutcome : this.#registry.components(name, workspace);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#preparing);
    for (const one of [this.#compiler, this.#bundler, this.#installer]) one.close();
  }

  #prepare([first, ...others]: readonly (Compiler | Installer)[], afterMs: number): void {
    this.#preparing = setTimeout(() => {
      void first?.prepare();
      if (others.length > 0) this.#prepare(others, staggerMs);
    }, afterMs).unref();
  }

  async #buildWithPackages(
    program: Program,
    imported: readonly string[],
    { workspace, lock: initialLock }: { readonly workspace: string; readonly lock: string | null },
  ): Promise<BuildOutcome> {
    let needed = imported;
    let lock = initialLock;
    for (let round = 0; round <= roundsMax; round += 1) {
      const specifiers = needed.flatMap((one) => parseSpecifier(one) ?? []);
      const installed = await this.#installer.install(specifiers, lock, workspace);
      if (installed.kind !== 'installed') return failureOf(installed);
      const { folder, dependencies } = installed;
      const compilation = await this.#bundler.compile({ program, tree: { folder, dependencies } }, workspace);
      if (compilation.kind === 'compiled') return this.#outcomeWithLock(compilation.compiled, installed.lock);
      // The lock restores the same packages.
      if (compilation.kind === 'damaged') await rm(folder, { recursive: true, force: true });
      else if (compilation.kind !== 'needs') return outcomeOf(compilation);
      needed = compilation.kind === 'needs' ? compilation.specifiers : needed;
      lock = installed.lock;
    }
    return refusal(`Its packages import others that they do not name, again and again: at last ${needed.join(', ')}`);
  }

  #outcomeWithLock(bundle: Bundle, lock: string): Promise<BuildOutcome> {
    const outcome = this.#lockedOutcomes.get(bundle) ?? builtWithLock(bundle, lock);
    this.#lockedOutcomes.set(bundle, outcome);
    return outcome;
  }
}

function outcomeOf(compilation: Exclude<Compilation, { kind: 'compiled' | 'needs' }>): BuildOutcome {
  if (compilation.kind !== 'damaged') return compilation;
  const message = 'Packages on disk are damaged, and still were after they had been installed again: check the disk';
  return { kind: 'failed', error: { name: 'CompileError', message }, again: true };
}

function failureOf(outcome: Exclude<InstallOutcome, { kind: 'installed' }>): BuildOutcome {
  if (outcome.kind === 'refused') return refusal(outcome.message);
  return { kind: 'failed', error: { name: 'ImportError', message: outcome.message }, again: outcome.again };
}
