// Installs packages in processes that are used once, and keeps the trees for builds with the same packages.
import { mkdir, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpareWorker } from '../../../primitives/worker-pool/spare-worker.ts';
import { WorkerPool } from '../../../primitives/worker-pool/worker-pool.ts';
import { SweepScheduler } from '../trees/sweep-scheduler.ts';
import { readRecord, treeFolder } from '../trees/tree.ts';
import { installLimits, InstallerProcess } from './installer-process.ts';
import { hashOf, parseLock } from './lock.ts';
import { readRegistryOptions, trustedOrigins } from './npm-configuration.ts';
import type { Environment } from './npm-configuration.ts';
import type { InstallJob, InstallLimits, InstallResult } from './install-protocol.ts';
import { keyOf, withSpecifiers } from './specifiers.ts';
import type { Dependencies, Specifier } from './specifiers.ts';
import { closeWorkplace, openWorkplace } from './workplace.ts';

export interface InstallerOptions {
  /** For trees and npm's cache; created if needed, and can be shared by several processes. */
  readonly directory: string;
  /** Environment variables with npm's configuration; none of them are passed to the processes. */
  readonly environment: Environment;
  /** The folder of a project's `.npmrc`. */
  readonly folder: string;
  /** Private ranges that a registry may redirect to; the registries themselves can have any address. */
  readonly egressAllow: readonly string[];
  readonly authoritiesFile?: string | undefined;
  /** Names of packages that are never installed. */
  readonly provided: readonly string[];
  readonly limits?: InstallLimits;
  readonly onTrouble?: (message: string) => void;
}

export interface InstalledTree {
  readonly kind: 'installed';
  readonly lock: string;
  readonly dependencies: Dependencies;
  /** The folder that holds `node_modules`. */
  readonly folder: string;
}

export type InstallOutcome = InstalledTree | Exclude<InstallResult, { kind: 'installed' }>;

/** Each takes a core and at most a gigabyte. */
const processesMax = 2;
/** How long a resolved version counts as the latest, because `pd dev` deploys many times a minute. */
const recentMs = 60_000;
const recentMax = 500;
/** A killed process exits within milliseconds, unless it waits for a disk. */
const exitWaitMsMax = 10_000;

export class Installer {
  readonly #options: InstallerOptions;
  readonly #limits: InstallLimits;
  readonly #pool: WorkerPool<InstallerProcess>;
  readonly #spare: SpareWorker<InstallerProcess>;
  readonly #sweeps: SweepScheduler;
  #keepsSpare = false;
  /** Recent locks with their time, by the request. */
  readonly #recentLocks = new Map<string, { readonly lock: string; readonly at: number }>();

  constructor(options: InstallerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? installLimits;
    this.#sweeps = new SweepScheduler(options.directory);
    const dismiss = (worker: InstallerProcess): void => worker.kill('it is not needed');
    const spawn = (): InstallerProcess => new InstallerProcess({ ...this.#options, limits: this.#limits });
    this.#spare = new SpareWorker({ spawn, dismiss });
    this.#pool = new WorkerPool({ what: 'installer', size: processesMax, spawn: () => this.#spare.take(), dismiss });
  }

  /** Ids of the processes, for measuring or killing them. */
  get processIds(): readonly number[] {
    const { worker: spare } = this.#spare;
    const all = spare === undefined ? this.#pool.workers : [...this.#pool.workers, spare];
    return all.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * Makes a tree with all packages of `specifiers`. Packages in `lock` keep their versions. Callers take turns. Never
   * rejects.
   */
  async install(specifiers: readonly Specifier[], lock: string | null, caller: string): Promise<InstallOutcome> {
    try {
      const lockedDependencies = lock === null ? {} : parseLock(lock).dependencies;
      const dependencies = withSpecifiers(lockedDependencies, specifiers);
      const isCovered = specifiers.every((one) => keyOf(one, lockedDependencies) !== undefined);
      const usableLock = lock !== null && isCovered ? lock : (this.#recentLock(dependencies, lock) ?? null);
      const existing = usableLock === null ? undefined : await this.#findTree(usableLock, dependencies);
      return existing ?? (await this.#installTree(dependencies, lock, caller));
    } catch (error) {
      return {
        kind: 'failed',
        message: `The packages could not be installed: ${(error as Error).message}`,
        again: true,
      };
    }
  }

  /** From now on, keeps a process ready, because a start takes longer than most installs. Never rejects. */
  async prepare(): Promise<void> {
    this.#keepsSpare = true;
    try {
      await this.#makeDirectory();
      this.#spare.prepare();
      this.#sweeps.request();
    } catch {
      // The first install reports the failure.
    }
  }

  close(): void {
    this.#spare.close();
    this.#pool.close();
  }

  /** The tree of `lock`, if it exists completely. */
  async #findTree(lock: string, dependencies: Dependencies): Promise<InstalledTree | undefined> {
    const folder = treeFolder(this.#options.directory, hashOf(lock));
    if ((await readRecord(folder)) === undefined) return undefined;
    const now = new Date();
    // A failure only affects the order of deletion.
    await utimes(folder, now, now).catch(() => {});
    return { kind: 'installed', lock, dependencies, folder };
  }

  async #installTree(dependencies: Dependencies, lock: string | null, caller: string): Promise<InstallOutcome> {
    await this.#makeDirectory();
    const { environment, folder, directory, provided, egressAllow } = this.#options;
    const registry = await readRegistryOptions(environment, folder);
    const trusted = trustedOrigins(registry);
    const job: Omit<InstallJob, 'workplace'> = {
      directory,
      dependencies,
      lock,
      provided,
      registry,
      trusted,
      egressAllow,
      limits: this.#limits,
    };
    let reason = '';
    const result = await this.#pool
      .runJob(caller, async (worker) => {
        const outcome = await this.#installIn(worker, job);
        if (outcome === undefined) reason = worker.reason;
        return outcome;
      })
      .finally(() => this.#sweeps.request());
    if (this.#keepsSpare) this.#spare.prepare();
    if (result === undefined) return processFailure(this.#limits, reason);
    if (result.kind !== 'installed') return result;
    this.#remember(dependencies, lock, result.lock);
    const installed = await this.#findTree(result.lock, dependencies);
    return (
      installed ?? {
        kind: 'failed',
        message: 'The installed packages are gone: another process swept them',
        again: true,
      }
    );
  }

  /** Leaves no incomplete files when it resolves, however the process ended. */
  async #installIn(worker: InstallerProcess, job: Omit<InstallJob, 'workplace'>): Promise<InstallResult | undefined> {
    const workplace = await openWorkplace(job.directory);
    try {
      const result = await worker.run({ ...job, workplace });
      if (result === undefined) this.#options.onTrouble?.(`An installer process died: ${worker.reason}`);
      else worker.kill('it has done its one install');
      return result;
    } finally {
      await Promise.race([worker.exited, sleep(exitWaitMsMax, undefined, { ref: false })]);
      await closeWorkplace(workplace);
    }
  }

  async #makeDirectory(): Promise<void> {
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
  }

  #recentLock(dependencies: Dependencies, lock: string | null): string | undefined {
    const recent = this.#recentLocks.get(recentKeyOf(dependencies, lock));
    return recent !== undefined && performance.now() - recent.at < recentMs ? recent.lock : undefined;
  }

  #remember(dependencies: Dependencies, lock: string | null, newLock: string): void {
    const key = recentKeyOf(dependencies, lock);
    this.#recentLocks.delete(key);
    this.#recentLocks.set(key, { lock: newLock, at: performance.now() });
    const oldest = this.#recentLocks.keys().next().value;
    if (this.#recentLocks.size > recentMax && oldest !== undefined) this.#recentLocks.delete(oldest);
  }
}

const recentKeyOf = (dependencies: Dependencies, lock: string | null): string =>
  hashOf(JSON.stringify([Object.entries(dependencies).sort(), lock]));

/** Reasons of a process's death for lack of memory: V8's and the kernel's messages, or an abort. */
const memoryFailure = /memory|allocation failed|SIGABRT|SIGTRAP|SIGKILL|code 13[47]/i;

/** `reason`: why the second process died. */
const processFailure = ({ unpackedBytes }: InstallLimits, reason: string): InstallOutcome => ({
  kind: 'failed',
  message: memoryFailure.test(reason)
    ? 'The packages could not be installed: the installer ran out of memory, twice. ' +
      `Import fewer or smaller packages (${unpackedBytes / 1024 / 1024} MiB in all)`
    : "The packages could not be installed: the installer's process ended, twice. The log of the service says why",
  again: true,
});
