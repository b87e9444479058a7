// The runs that have ended and are not on the log yet: put into batches in order, and held until these are appended.
import type { Appends } from '../../../domain/flow.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Output } from '../../loop/stage.ts';
import type { Finished } from '../outcome/finished.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { SourceStates } from '../source/source-states.ts';
import type { OutputBatch } from './output-batch.ts';

type RuntimeOutput = Output<Appends<'runtime'>>;

/** Bounded by `unsavedBytesMax`: no run starts beyond it. */
export class UnsavedRuns {
  readonly #finished = new Fifo<Finished>();
  readonly #taken = new Map<RuntimeOutput, OutputBatch>();
  #bytes = 0;

  /** What they hold in memory, those in batches included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The next to go into a batch. */
  get first(): Finished | undefined {
    return this.#finished.peek();
  }

  add(finished: Finished): void {
    this.#finished.push(finished);
    this.#bytes += finished.heldBytes;
  }

  /** What those that are in no batch yet have written to the db of their source, in order. */
  writesOf(sourceId: string): Finished['dbWrites'] {
    return this.#finished
      .toArray()
      .filter(({ queued }) => queued.sourceId === sourceId)
      .flatMap(({ dbWrites }) => dbWrites);
  }

  /** As many as there is room for; `put` is called for each. */
  putInto(batch: OutputBatch, states: Pick<SourceStates, 'of'>, put: (trigger: QueuedTrigger) => void): void {
    for (let first = this.first; first !== undefined; first = this.first) {
      const state = states.of(first.trigger);
      if (!batch.fits(first, state)) break;
      batch.add(first, state);
      this.#finished.shift();
      put(first.queued);
    }
  }

  /** The batch was handed over as this output. */
  taken(output: RuntimeOutput, batch: OutputBatch): void {
    this.#taken.set(output, batch);
  }

  /** Lets go of the output's batch, which is on the log. Undefined: it was none of these. */
  committed(output: RuntimeOutput): OutputBatch | undefined {
    const batch = this.#taken.get(output);
    if (batch === undefined) return undefined;
    this.#taken.delete(output);
    batch.committed();
    this.#bytes -= batch.heldBytes;
    return batch;
  }
}
