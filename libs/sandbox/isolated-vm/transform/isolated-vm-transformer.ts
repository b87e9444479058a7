// The transformer port on isolated-vm: runs transforms in separate processes, which start at the first call.
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  failedTransform,
  retryTransform,
  type TransformError,
  type TransformOutcome,
} from '../../../domain/delivery/transform/transform.ts';
import { Transformer, type TransformCall, type TransformText } from '../../transformer.ts';
import { WorkerPool } from '../../../primitives/worker-pool/worker-pool.ts';
import { Paces } from './paces.ts';
import { TransformProcess, type Done } from './transform-process.ts';

/** At least two, so that one workspace cannot occupy all; each takes some 60 MB. */
const quickProcessesMin = 2;
const quickProcessesMax = 4;
/** More than delivery's concurrent attempts, so that no call is rejected. */
const waitingMax = 10_000;
/** Delay before the retry of a call that found no process. */
const retryDelayMs = 1_000;

export class IsolatedVmTransformer extends Transformer {
  readonly #quick: WorkerPool<TransformProcess>;
  readonly #slow: WorkerPool<TransformProcess>;
  readonly #paces = new Paces();

  constructor() {
    super();
    const size = Math.min(Math.max(availableParallelism(), quickProcessesMin), quickProcessesMax);
    this.#quick = poolOf(size, false);
    this.#slow = poolOf(1, true);
  }

  /** Ids of the processes, for measuring or killing them. */
  get processIds(): readonly number[] {
    return [...this.#quick.workers, ...this.#slow.workers].flatMap(({ pid }) => pid ?? []);
  }

  override async check(transform: TransformText): Promise<TransformError | undefined> {
    const result = await this.#run(transform);
    return result.kind === 'failed' ? result.error : undefined;
  }

  override async transform({ event, metadata, ...transform }: TransformCall): Promise<TransformOutcome> {
    const result = await this.#run(transform, { event, metadata: JSON.stringify(metadata) });
    return result.kind === 'compiled' ? failedTransform('It was not called') : result;
  }

  override async close(): Promise<void> {
    this.#quick.close();
    this.#slow.close();
  }

  /** Slow transforms of all workspaces wait only for each other. */
  async #run({ subscriptionId, workspace, text }: TransformText, input?: TransformInput): Promise<Done['result']> {
    const key = `${subscriptionId}/${createHash('sha256').update(text).digest('base64')}`;
    const pauseMs = this.#paces.remainingPauseMs(key);
    if (pauseMs > 0)
      return retryTransform(`It has ended its process; it is run again in ${Math.ceil(pauseMs / 1_000)} s`, pauseMs);
    const call = { key, text, ...(input === undefined ? {} : { on: input }) };
    const pool = this.#paces.isSlow(key) ? this.#slow : this.#quick;
    try {
      const done = await pool.runJob(workspace, (process) => process.run(call));
      if (done === undefined) {
        this.#paces.recordKill(key);
        return failedTransform('It ended its process, twice: it uses too much memory, or a built-in without end');
      }
      this.#paces.recordDuration(key, done.cpuMs);
      return done.result;
    } catch (error) {
      return retryTransform(error instanceof Error ? error.message : 'No process can be had for it', retryDelayMs);
    }
  }
}

interface TransformInput {
  readonly event: string;
  readonly metadata: string;
}

const poolOf = (size: number, isSlow: boolean): WorkerPool<TransformProcess> =>
  new WorkerPool({
    what: 'process of transforms',
    size,
    waitingMax,
    spawn: () => new TransformProcess(isSlow),
    dismiss: (process) => process.kill(),
  });
