// Compiles components in processes, which they can kill, and caches the results in memory and on disk.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { ComponentError } from '../../../domain/component/output.ts';
import type { Program } from '../../packages.ts';
import { WorkerPool } from '../../../primitives/worker-pool/worker-pool.ts';
import type { BundleJob, BundleResult } from '../bundling/job.ts';
import { providedDigest } from '../../platform/provided.ts';
import { bundlerEdition } from '../bundling/esbuild-options.ts';
import { BoundedCache } from '../../../primitives/collections/bounded-cache.ts';
import { DiskCache } from './disk-cache.ts';
import { CompilerProcess, compilerLimits } from './process/compiler-process.ts';
import type { CompilerLimits } from './process/compiler-process.ts';

export type Compilation =
  | BundleResult
  /** Two processes died, possibly not because of the code; `again`: a caller that can wait should try again. */
  | { readonly kind: 'failed'; readonly error: ComponentError; readonly again: boolean };

export interface CompilerOptions {
  /** The directory for compiled components; created if needed. */
  readonly cacheDir: string;
  readonly limits?: CompilerLimits;
  readonly onTrouble?: (message: string) => void;
}

/** Characters of cached compiled texts; the largest has 4 MB with its map. */
const cachedUnitsMax = 16 * 1024 * 1024;
/** The size of an entry besides its texts. */
const overheadUnits = 1_024;
/** Each takes one core and up to 700 MiB while it compiles. */
const processesMax = 2;
/** Failures in a row, of two tries each, until the code is rejected; fewer might be caused by the machine. */
const failuresMax = 5;
/** Components whose failures are counted. */
const failingMax = 1_000;

const failure: ComponentError = {
  name: 'CompileError',
  message:
    'The component could not be compiled: the compiler ran out of memory or time, twice. Nest its brackets, functions, blocks and operators less deeply, or make it smaller',
};

/** The cache key. The folder of a tree is named after its lock, which determines its contents. */
function keyOf({ program: { code, entry, files = {} }, tree }: BundleJob): string {
  const texts = Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = [code, entry ?? null, texts, tree === null ? null : basename(tree.folder)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function unitsOf({ code, files = {} }: Program): number {
  return Object.values(files).reduce((sum, text) => sum + text.length, code.length);
}

export class Compiler {
  readonly #cache = new BoundedCache<Promise<Compilation>>(cachedUnitsMax);
  readonly #failures = new BoundedCache<number>(failingMax);
  readonly #disk: DiskCache;
  readonly #limits: CompilerLimits;
  readonly #pool: WorkerPool<CompilerProcess>;
  readonly #onTrouble: (message: string) => void;

  constructor({ cacheDir, limits = compilerLimits, onTrouble = () => {} }: CompilerOptions) {
    this.#disk = new DiskCache(cacheDir, `${bundlerEdition} ${providedDigest()}`);
    this.#onTrouble = onTrouble;
    this.#limits = limits;
    const spawn = (): CompilerProcess => new CompilerProcess(limits);
    const dismiss = (worker: CompilerProcess): void => worker.kill('it is not needed');
    this.#pool = new WorkerPool({ what: 'compiler', size: processesMax, spawn, dismiss });
  }

  /** Ids of the processes, for measuring or killing them; each leads a process group with its esbuild. */
  get processIds(): readonly number[] {
    return this.#pool.workers.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Callers take turns when there is a queue. Never rejects. */
  compile(job: BundleJob, caller: string): Promise<Compilation> {
    const key = keyOf(job);
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const pending = this.#compileUncached(key, job, caller);
    this.#cache.set(key, pending, unitsOf(job.program));
    void pending.then((compilation) => this.#updateCache(key, pending, compilation));
    return pending;
  }

  /** Starts a process before the first compile. */
  prepare(): void {
    this.#pool.prepare();
  }

  close(): void {
    this.#pool.close();
  }

  async #compileUncached(key: string, job: BundleJob, caller: string): Promise<Compilation> {
    const cached = await this.#disk.read(key);
    if (cached) return { kind: 'compiled', compiled: cached };
    const result = await this.#pool.runJob(caller, (worker) => this.#compileIn(worker, job)).catch(() => undefined);
    if (!result) return this.#failed(key);
    this.#failures.delete(key);
    if (result.kind === 'compiled') await this.#disk.write(key, result.compiled);
    return result;
  }

  async #compileIn(worker: CompilerProcess, job: BundleJob): Promise<BundleResult | undefined> {
    const startedMs = performance.now();
    const result = await worker.run(job);
    if (!result) this.#onTrouble(`A compiler process died: ${worker.reason}`);
    else if (performance.now() - startedMs > this.#limits.longMs) worker.kill('it may have grown');
    return result;
  }

  /** Caches a result with its actual size; drops one that might differ at another try. */
  #updateCache(key: string, pending: Promise<Compilation>, compilation: Compilation): void {
    if (compilation.kind === 'failed' || compilation.kind === 'damaged') {
      this.#cache.delete(key);
      return;
    }
    const units =
      compilation.kind === 'compiled' ? compilation.compiled.js.length + compilation.compiled.map.length : 0;
    this.#cache.set(key, pending, units + overheadUnits);
  }

  #failed(key: string): Compilation {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    const again = failures < failuresMax;
    if (again) this.#failures.set(key, failures, 1);
    else this.#failures.delete(key);
    return { kind: 'failed', error: failure, again };
  }
}
