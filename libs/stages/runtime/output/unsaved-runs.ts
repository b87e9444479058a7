// Holds the runs that have ended and are not on the log yet: puts them into batches in order, until these are appended.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Appends } from '../../../domain/flow.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Output, TaskContext } from '../../loop/stage.ts';
import type { TriggerResult } from '../outcome/trigger-result.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { SourceStates } from '../source/source-states.ts';
import { encodeOutput, isLong } from './encoded-output.ts';
import type { EncodedOutput } from './encoded-output.ts';
import type { OutputBatch } from './output-batch.ts';

type RuntimeOutput = Output<Appends<'runtime'>>;

export interface UnsavedRunsOptions {
  /** `ready`: called when there is something for a batch. */
  readonly context: Pick<TaskContext, 'partition' | 'encodeAhead' | 'ready'>;
  readonly states: Pick<SourceStates, 'of'>;
  readonly ambient: Ambient;
}

interface LongOutputQueue {
  /** The run whose output is being encoded. */
  readonly longRun: TriggerResult;
  /** Runs of the source that ended after `longRun`, in order. */
  readonly waiting: Fifo<TriggerResult>;
}

/** Bounded by `unsavedBytesMax`: no run starts beyond it. */
export class UnsavedRuns {
  readonly #options: UnsavedRunsOptions;
  readonly #ready = new Fifo<TriggerResult>();
  /** By source id: the runs of each source with a long output that is not in a batch yet. */
  readonly #longQueues = new Map<string, LongOutputQueue>();
  readonly #encoding = new Set<TriggerResult>();
  readonly #encoded = new Map<TriggerResult, EncodedOutput>();
  readonly #batches = new Map<RuntimeOutput, OutputBatch>();
  #bytes = 0;
  #isStopping = false;

  constructor(options: UnsavedRunsOptions) {
    this.#options = options;
  }

  /** The memory of these runs, including those in batches. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The next run to go into a batch. */
  get first(): TriggerResult | undefined {
    return this.#ready.peek();
  }

  /** Whether a run of the source is not in a batch because a long output is encoded first. */
  has(sourceId: string): boolean {
    return this.#longQueues.has(sourceId);
  }

  add(result: TriggerResult): void {
    this.#bytes += result.heldBytes;
    this.#enqueue(result);
  }

  /** The writes to the source's db by runs that are in no batch yet, in order. */
  writesOf(sourceId: string): TriggerResult['dbWrites'] {
    return [...this.#ready.toArray(), ...this.#encoding, ...(this.#longQueues.get(sourceId)?.waiting.toArray() ?? [])]
      .filter(({ queued }) => queued.sourceId === sourceId)
      .flatMap(({ dbWrites }) => dbWrites);
  }

  /** Adds as many runs as there is room for; calls `onPut` for each. */
  putInto(batch: OutputBatch, onPut: (trigger: QueuedTrigger) => void): void {
    for (let first = this.first; first !== undefined; first = this.first) {
      const state = this.#options.states.of(first.trigger);
      if (!batch.fits(first, state)) break;
      batch.add(first, state, this.#encoded.get(first));
      this.#encoded.delete(first);
      this.#ready.shift();
      onPut(first.queued);
      this.#enqueueAfter(first);
    }
  }

  /** Stops encoding ahead: everything that has ended goes into the next batches. */
  stop(): void {
    this.#isStopping = true;
    for (const result of this.#encoding) this.#ready.push(result);
    this.#encoding.clear();
    for (const { longRun } of [...this.#longQueues.values()]) this.#enqueueAfter(longRun);
  }

  /** Call when the batch was handed over as this output. */
  registerBatch(output: RuntimeOutput, batch: OutputBatch): void {
    this.#batches.set(output, batch);
  }

  /** Call when the output is on the log; returns its batch. Undefined: it was none of these. */
  committed(output: RuntimeOutput): OutputBatch | undefined {
    const batch = this.#batches.get(output);
    if (batch === undefined) return undefined;
    this.#batches.delete(output);
    batch.committed();
    this.#bytes -= batch.heldBytes;
    return batch;
  }

  #enqueue(result: TriggerResult): void {
    const queue = this.#longQueues.get(result.queued.sourceId);
    if (queue !== undefined) return queue.waiting.push(result);
    if (this.#isStopping || !isLong(result)) return this.#ready.push(result);
    this.#longQueues.set(result.queued.sourceId, { longRun: result, waiting: new Fifo() });
    this.#encoding.add(result);
    void this.#encode(result);
  }

  /** An output that cannot be encoded goes into a batch unencoded, so that the append fails with the reason. */
  async #encode(result: TriggerResult): Promise<void> {
    const { states, ambient, context } = this.#options;
    const { memory } = states.of(result.trigger);
    const encoding = encodeOutput(result, memory, { ...context, now: ambient.now() });
    const encoded = await encoding.catch(() => undefined);
    if (!this.#encoding.delete(result)) return;
    if (encoded !== undefined) this.#encoded.set(result, encoded);
    this.#ready.push(result);
    context.ready();
  }

  /** After a long output: queues the runs that have ended after it, up to the next long one. */
  #enqueueAfter(result: TriggerResult): void {
    const { sourceId } = result.queued;
    const queue = this.#longQueues.get(sourceId);
    if (queue?.longRun !== result) return;
    this.#longQueues.delete(sourceId);
    for (const one of queue.waiting.toArray()) this.#enqueue(one);
  }
}
