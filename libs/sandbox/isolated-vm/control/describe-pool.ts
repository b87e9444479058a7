// Runs the processes that load components to describe them. Nothing else runs there, so their death affects no run.
import { PortError } from '../../../domain/port-error.ts';
import type { Bundle } from '../../../packages/packages.ts';
import { NoWorkerError, WorkerPool } from '../../../primitives/worker-pool/worker-pool.ts';
import type { DescribeOptions } from '../../sandbox.ts';
import { wallTimeFactor } from '../sandbox-limits.ts';
import type { SandboxLimits } from '../sandbox-limits.ts';
import { startTimeoutMs } from './runner-process.ts';
import type { Described, Runner } from './runner.ts';
import type { Runners } from './runners.ts';

/** Loading takes 50 ms, `loadMs` at most: two processes suffice for one harmful component and all others. */
const processesMax = 2;
/** Beyond the runner's own timeout of a describe, which takes up to 4.5 s more; for a runner that does not keep it. */
const graceMs = 5_000;

export class DescribePool {
  readonly #pool: WorkerPool<Runner>;
  readonly #limits: SandboxLimits;

  constructor({ spawn, dismiss }: Pick<Runners, 'spawn' | 'dismiss'>, limits: SandboxLimits) {
    const what = 'process that loads components';
    this.#pool = new WorkerPool({ what, size: processesMax, spawn: () => spawn(() => {}), dismiss });
    this.#limits = limits;
  }

  /** Undefined if the component killed two processes. Throws PortError if no process is available. */
  describe(bundle: Bundle, { workspace = '', memoryMb }: DescribeOptions): Promise<Described | undefined> {
    return this.#pool
      .runJob(workspace, (runner) => this.#describeIn(runner, bundle, memoryMb))
      .catch((error: unknown) => {
        throw error instanceof NoWorkerError ? new PortError(error.code, error.message) : error;
      });
  }

  close(): void {
    this.#pool.close();
  }

  async #describeIn(runner: Runner, bundle: Bundle, memoryMb: number | undefined): Promise<Described | undefined> {
    const limitMs = this.#limits.loadMs * wallTimeFactor + graceMs + (runner.hasStarted ? 0 : startTimeoutMs);
    const timer = setTimeout(() => runner.kill('a describe outlived every limit'), limitMs);
    const described = await runner.describe(bundle, memoryMb);
    clearTimeout(timer);
    if (!described && !runner.hasStarted) {
      throw new PortError('unavailable', 'No process can be had to load the component in; try again');
    }
    return described;
  }
}
