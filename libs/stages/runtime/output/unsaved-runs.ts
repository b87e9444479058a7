// Holds the runs that have ended and are not on the log yet: puts them into batches in order, until these are appended.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Appends } from '../../../domain/flow.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Output, TaskContext } from '../../loop/stage.ts';
import type { Finished } from '../outcome/finished.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { SourceStates } from '../source/source-states.ts';
import { encodedOutput, isLong } from './encoded-output.ts';
import type { EncodedOutput } from './encoded-output.ts';
import type { OutputBatch } from './output-batch.ts';

type RuntimeOutput = Output<Appends<'runtime'>>;

export interface UnsavedRunsOptions {
  /** `ready`: called when there is something for a batch. */
  readonly context: Pick<TaskContext, 'partition' | 'encodeAhead' | 'ready'>;
  readonly states: Pick<SourceStates, 'of'>;
  readonly ambient: Ambient;
}

interface Line {
  /** The run whose output is being encoded. */
  readonly long: Finished;
  /** Runs of the source that ended after `long`, in order. */
  readonly behind: Fifo<Finished>;
}

/** Bounded by `unsavedBytesMax`: no run starts beyond it. */
export class UnsavedRuns {
  readonly #options: UnsavedRunsOptions;
  readonly #finished = new Fifo<Finished>();
  /** By source id: the runs of each source with a long output that is not in a batch yet. */
  readonly #lines = new Map<string, Line>();
  readonly #encoding = new Set<Finished>();
  readonly #encoded = new Map<Finished, EncodedOutput>();
  readonly #taken = new Map<RuntimeOutput, OutputBatch>();
  #bytes = 0;
  #isEnding = false;

  constructor(options: UnsavedRunsOptions) {
    this.#options = options;
  }

  /** The memory of these runs, including those in batches. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The next run to go into a batch. */
  get first(): Finished | undefined {
    return this.#finished.peek();
  }

  /** Whether a run of the source is not in a batch because a long output is encoded first. */
  has(sourceId: string): boolean {
    return this.#lines.has(sourceId);
  }

  add(finished: Finished): void {
    this.#bytes += finished.heldBytes;
    this.#lineUp(finished);
  }

  /** The writes to the source's db by runs that are in no batch yet, in order. */
  writesOf(sourceId: string): Finished['dbWrites'] {
    return [...this.#finished.toArray(), ...this.#encoding, ...(this.#lines.get(sourceId)?.behind.toArray() ?? [])]
      .filter(({ queued }) => queued.sourceId === sourceId)
      .flatMap(({ dbWrites }) => dbWrites);
  }

  /** Adds as many runs as there is room for; calls `put` for each. */
  putInto(batch: OutputBatch, put: (trigger: QueuedTrigger) => void): void {
    for (let first = this.first; first !== undefined; first = this.first) {
      const state = this.#options.states.of(first.trigger);
      if (!batch.fits(first, state)) break;
      batch.add(first, state, this.#encoded.get(first));
      this.#encoded.delete(first);
      this.#finished.shift();
      put(first.queued);
      this.#goOnAfter(first);
    }
  }

  /** Stops encoding ahead: everything that has ended goes into the next batches. */
  stop(): void {
    this.#isEnding = true;
    for (const finished of this.#encoding) this.#finished.push(finished);
    this.#encoding.clear();
    for (const { long } of [...this.#lines.values()]) this.#goOnAfter(long);
  }

  /** Call when the batch was handed over as this output. */
  taken(output: RuntimeOutput, batch: OutputBatch): void {
    this.#taken.set(output, batch);
  }

  /** Call when the output is on the log; returns its batch. Undefined: it was none of these. */
  committed(output: RuntimeOutput): OutputBatch | undefined {
    const batch = this.#taken.get(output);
    if (batch === undefined) return undefined;
    this.#taken.delete(output);
    batch.committed();
    this.#bytes -= batch.heldBytes;
    return batch;
  }

  #lineUp(finished: Finished): void {
    const line = this.#lines.get(finished.queued.sourceId);
    if (line !== undefined) return line.behind.push(finished);
    if (this.#isEnding || !isLong(finished)) return this.#finished.push(finished);
    this.#lines.set(finished.queued.sourceId, { long: finished, behind: new Fifo() });
    this.#encoding.add(finished);
    void this.#encode(finished);
  }

  /** An output that cannot be encoded goes into a batch unencoded, so that the append fails with the reason. */
  async #encode(finished: Finished): Promise<void> {
    const { states, ambient, context } = this.#options;
    const { memory } = states.of(finished.trigger);
    const encoding = encodedOutput(finished, memory, { ...context, now: ambient.now() });
    const encoded = await encoding.catch(() => undefined);
    if (!this.#encoding.delete(finished)) return;
    if (encoded !== undefined) this.#encoded.set(finished, encoded);
    this.#finished.push(finished);
    context.ready();
  }

  /** After a long output: queues the runs that have ended after it, up to the next long one. */
  #goOnAfter(finished: Finished): void {
    const { sourceId } = finished.queued;
    const line = this.#lines.get(sourceId);
    if (line?.long !== finished) return;
    this.#lines.delete(sourceId);
    for (const one of line.behind.toArray()) this.#lineUp(one);
  }
}
