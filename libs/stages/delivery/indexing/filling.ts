// Reads the records that the index lacks, slowly: after a kill the last segment, after an upgrade from a version without
// the index all records.
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import type { TaskContext } from '../../loop/stage.ts';

const pageBounds = { recordsMax: 512, bytesMax: 1024 * 1024 };
/** The pause after a page, as a multiple of its time: all partitions of the process use a fifth of a thread. */
const restFactor = 4;
/** The time between checks whether a segment has been saved. */
const savingMs = 50;

export interface FillingOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'fail'>;
  /** Limits reads to one page of one partition at a time, including the pause after it. */
  readonly fillSlots: Semaphore;
  readonly tailAt: () => number;
}

export interface Filled {
  /** The offset to continue reading from; undefined: do not read now. */
  next(): number | undefined;
  take(records: RecordsOn<'channels'>, next: number): void;
  /** Called when everything below the tail was read, in the same turn of the event loop. */
  reached(): void;
}

export class Filling {
  readonly #options: FillingOptions;
  readonly #filled: Filled;
  readonly #closing = new AbortController();
  #running = false;

  constructor(options: FillingOptions, filled: Filled) {
    this.#options = options;
    this.#filled = filled;
  }

  start(): void {
    if (this.#running || this.#isOver()) return;
    this.#running = true;
    this.#run().catch((error: unknown) => {
      if (!this.#closing.signal.aborted)
        this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
    });
  }

  close(): void {
    this.#closing.abort();
  }

  /** Whether the tail is reached; if so, calls `reached` in the same turn of the event loop. */
  #isOver(): boolean {
    const next = this.#filled.next();
    if (next === undefined || next < this.#options.tailAt()) return false;
    this.#running = false;
    this.#filled.reached();
    return true;
  }

  async #run(): Promise<void> {
    const { fillSlots } = this.#options;
    const { signal } = this.#closing;
    for (let isOver = false; !isOver;) {
      if (this.#filled.next() === undefined) await delay(savingMs, undefined, { signal, ref: false });
      isOver = await fillSlots.run(() => this.#step());
    }
  }

  async #step(): Promise<boolean> {
    const startedAt = performance.now();
    await this.#readOnce();
    if (this.#isOver()) return true;
    const restMs = (performance.now() - startedAt) * restFactor;
    await delay(restMs, undefined, { signal: this.#closing.signal, ref: false });
    return this.#isOver();
  }

  async #readOnce(): Promise<void> {
    const { context, tailAt } = this.#options;
    const from = this.#filled.next();
    if (from === undefined || this.#closing.signal.aborted) return;
    const to = tailAt();
    const page = await context.log.read('channels', context.partition, from, { ...pageBounds, to });
    if (this.#closing.signal.aborted) return;
    this.#filled.take(page.records, page.next > from ? page.next : to);
  }
}
