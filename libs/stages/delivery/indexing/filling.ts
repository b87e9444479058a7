// Reads the records that the index lacks, slowly: after a kill the last segment, after an upgrade from a version without
// the index all records.
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import type { TaskContext } from '../../loop/stage.ts';

const pageBounds = { recordsMax: 512, bytesMax: 1024 * 1024 };
/** The pause after a page, as a multiple of its time: all partitions of the process use a fifth of a thread. */
const pauseFactor = 4;
/** The time between checks whether a segment has been saved. */
const savingMs = 50;

export interface FillingOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'fail'>;
  /** Limits reads to one page of one partition at a time, including the pause after it. */
  readonly fillSlots: Semaphore;
  readonly tailAt: () => number;
}

export interface FillTarget {
  /** The offset to continue reading from; undefined: do not read now. */
  next(): number | undefined;
  take(records: RecordsOn<'channels'>, next: number): void;
  /** Called when everything below the tail was read, in the same turn of the event loop. */
  onReached(): void;
}

export class Filling {
  readonly #options: FillingOptions;
  readonly #target: FillTarget;
  readonly #closing = new AbortController();
  #isRunning = false;

  constructor(options: FillingOptions, target: FillTarget) {
    this.#options = options;
    this.#target = target;
  }

  start(): void {
    if (this.#isRunning || this.#finishIfReached()) return;
    this.#isRunning = true;
    this.#run().catch((error: unknown) => {
      if (!this.#closing.signal.aborted)
        this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
    });
  }

  close(): void {
    this.#closing.abort();
  }

  /** Whether the tail is reached; if so, calls `onReached` in the same turn of the event loop. */
  #finishIfReached(): boolean {
    const next = this.#target.next();
    if (next === undefined || next < this.#options.tailAt()) return false;
    this.#isRunning = false;
    this.#target.onReached();
    return true;
  }

  async #run(): Promise<void> {
    const { fillSlots } = this.#options;
    const { signal } = this.#closing;
    for (let isOver = false; !isOver;) {
      if (this.#target.next() === undefined) await delay(savingMs, undefined, { signal, ref: false });
      isOver = await fillSlots.run(() => this.#step());
    }
  }

  async #step(): Promise<boolean> {
    const startedAt = performance.now();
    await this.#readOnce();
    if (this.#finishIfReached()) return true;
    const pauseMs = (performance.now() - startedAt) * pauseFactor;
    await delay(pauseMs, undefined, { signal: this.#closing.signal, ref: false });
    return this.#finishIfReached();
  }

  async #readOnce(): Promise<void> {
    const { context, tailAt } = this.#options;
    const from = this.#target.next();
    if (from === undefined || this.#closing.signal.aborted) return;
    const to = tailAt();
    const page = await context.log.read('channels', context.partition, from, { ...pageBounds, to });
    if (this.#closing.signal.aborted) return;
    this.#target.take(page.records, page.next > from ? page.next : to);
  }
}
