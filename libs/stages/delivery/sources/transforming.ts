// Transforms events for listening sources before they are passed on, one event of a cursor at a time.
import { transformMetadata, type Transformed } from '../../../domain/delivery/transform/transform.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import { Shares } from '../../../primitives/sharing/shares.ts';
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

interface Wanted {
  readonly cursor: SourceCursor;
  readonly event: BufferedEvent;
  readonly text: string;
}

export class Transforming {
  readonly #options: TransformingOptions;
  readonly #places = new Shares(underWayMax);
  /** Cursors that wait for a place or for the transform of their next event. */
  readonly #busy = new Set<SourceCursor>();
  /** Events that wait for a place, by workspace: workspaces take turns. */
  readonly #waiting = new Map<string, Fifo<Wanted>>();
  /** The transformed next event of a cursor; dropped if another event is next by then. */
  readonly #made = new WeakMap<SourceCursor, { readonly event: BufferedEvent; readonly made: Transformed }>();
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
  take(wanted: Wanted): Transformed | undefined {
    const { cursor, event } = wanted;
    const known = this.#made.get(cursor);
    this.#made.delete(cursor);
    if (known?.event === event) return known.made;
    const { workspace } = cursor.subscription;
    this.#busy.add(cursor);
    if (this.#places.take(workspace)) void this.#begin(wanted);
    else this.#wait(workspace, wanted);
    return undefined;
  }

  #wait(workspace: string, wanted: Wanted): void {
    const others = this.#waiting.get(workspace) ?? new Fifo<Wanted>();
    others.push(wanted);
    this.#waiting.set(workspace, others);
  }

  /** Runs the transform, in a place that was taken before. */
  async #begin({ cursor, event, text }: Wanted): Promise<void> {
    const { subscriptionId, workspace } = cursor.subscription;
    const metadata = transformMetadata(subscriptionId, event);
    const given = { subscriptionId, workspace, text, event: event.body, metadata };
    const made = await this.#options.transformer.transform(given);
    this.#places.leave(workspace);
    if (this.#stopped) return;
    this.#made.set(cursor, { event, made });
    this.#lineUp(cursor);
    this.#beginNext();
  }

  #beginNext(): void {
    for (const [workspace, wanted] of [...this.#waiting]) {
      if (!this.#places.take(workspace)) continue;
      this.#waiting.delete(workspace);
      const next = this.#nextOf(wanted);
      if (wanted.length > 0) this.#waiting.set(workspace, wanted);
      if (next !== undefined) return void this.#begin(next);
      this.#places.leave(workspace);
    }
  }

  /** The first waiting event that is still next on its cursor; the other cursors queue again. */
  #nextOf(wanted: Fifo<Wanted>): Wanted | undefined {
    for (let first = wanted.peek(); first !== undefined; first = wanted.peek()) {
      wanted.shift();
      if (first.cursor.upNext === first.event) return first;
      this.#lineUp(first.cursor);
    }
    return undefined;
  }

  #lineUp(cursor: SourceCursor): void {
    this.#busy.delete(cursor);
    this.#options.ready(cursor);
  }
}
