// Transforms events for listening sources before they are passed on, one event of a cursor at a time.
import { transformMetadata, type TransformOutcome } from '../../../domain/delivery/transform/transform.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import { SharedSlots } from '../../../primitives/sharing/shared-slots.ts';
import type { Transformer } from '../../../sandbox/transformer.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';

/** The most running transforms: enough for their processes to have work, and a share for each workspace. */
const underWayMax = { all: 64, each: 16 };

export interface TransformingOptions {
  readonly transformer: Pick<Transformer, 'transform'>;
  /** Called when the cursor can have its turn again. */
  readonly ready: (cursor: SourceCursor) => void;
}

interface TransformJob {
  readonly cursor: SourceCursor;
  readonly event: BufferedEvent;
  readonly text: string;
}

export class Transforming {
  readonly #options: TransformingOptions;
  readonly #slots = new SharedSlots(underWayMax);
  /** Cursors that wait for a slot or for the transform of their next event. */
  readonly #busy = new Set<SourceCursor>();
  /** Events that wait for a slot, by workspace: workspaces take turns. */
  readonly #waiting = new Map<string, Fifo<TransformJob>>();
  /** The transformed next event of a cursor; dropped if another event is next by then. */
  readonly #results = new WeakMap<SourceCursor, { readonly event: BufferedEvent; readonly result: TransformOutcome }>();
  #stopped = false;

  constructor(options: TransformingOptions) {
    this.#options = options;
  }

  isBusy(cursor: SourceCursor): boolean {
    return this.#busy.has(cursor);
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
  }

  /** The transformed next event of the cursor; undefined: not ready yet, and the cursor will have another turn. */
  takeResult(job: TransformJob): TransformOutcome | undefined {
    const { cursor, event } = job;
    const known = this.#results.get(cursor);
    this.#results.delete(cursor);
    if (known?.event === event) return known.result;
    const { workspace } = cursor.subscription;
    this.#busy.add(cursor);
    if (this.#slots.tryAcquire(workspace)) void this.#begin(job);
    else this.#wait(workspace, job);
    return undefined;
  }

  #wait(workspace: string, job: TransformJob): void {
    const queue = this.#waiting.get(workspace) ?? new Fifo<TransformJob>();
    queue.push(job);
    this.#waiting.set(workspace, queue);
  }

  /** Runs the transform, in a slot that was taken before. */
  async #begin({ cursor, event, text }: TransformJob): Promise<void> {
    const { subscriptionId, workspace } = cursor.subscription;
    const metadata = transformMetadata(subscriptionId, event);
    const input = { subscriptionId, workspace, text, event: event.body, metadata };
    const result = await this.#options.transformer.transform(input);
    this.#slots.release(workspace);
    if (this.#stopped) return;
    this.#results.set(cursor, { event, result });
    this.#requeue(cursor);
    this.#beginNext();
  }

  #beginNext(): void {
    for (const [workspace, queue] of [...this.#waiting]) {
      if (!this.#slots.tryAcquire(workspace)) continue;
      this.#waiting.delete(workspace);
      const next = this.#nextOf(queue);
      if (queue.length > 0) this.#waiting.set(workspace, queue);
      if (next !== undefined) return void this.#begin(next);
      this.#slots.release(workspace);
    }
  }

  /** The first waiting event that is still next on its cursor; the other cursors queue again. */
  #nextOf(queue: Fifo<TransformJob>): TransformJob | undefined {
    for (let first = queue.peek(); first !== undefined; first = queue.peek()) {
      queue.shift();
      if (first.cursor.nextEvent === first.event) return first;
      this.#requeue(first.cursor);
    }
    return undefined;
  }

  #requeue(cursor: SourceCursor): void {
    this.#busy.delete(cursor);
    this.#options.ready(cursor);
  }
}
