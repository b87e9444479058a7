// Carries out retries and discards of single deliveries: reads many at a time, with a lower priority than all else.
import { doneKey, requestPositions } from '../records/request-positions.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { ActBatch } from './act-batch.ts';
import { isAct, type ActRequest } from './asked-deliveries.ts';

/** One page: it is parsed in one turn of the event loop, in a millisecond or so. */
const pageBounds = { recordsMax: 512, bytesMax: 128 * 1024 };
/** The most pages read for one batch: a workspace with at most this many pages ahead of it waits for one batch. */
const pagesMax = 64;

export interface ActLaneOptions extends Pick<TaskOptions, 'context' | 'readSlots'> {
  readonly outbox: Pick<Outbox, 'moved'>;
  /** Carries out the requests; resolves once their outputs are ready. */
  readonly take: (acts: readonly ActRequest[]) => Promise<void>;
}

export class ActLane {
  readonly #options: ActLaneOptions;
  /** Retries and discards below this offset are done. */
  #done: number;
  /** Offsets above `#done` of requests that are also done, within the pages of one batch. */
  readonly #ahead = new Set<number>();
  /** The offset up to which requests were read, exclusive. */
  #to: number;
  #isWorking = false;
  #isClosed = false;

  constructor(options: ActLaneOptions) {
    this.#options = options;
    const { mark, partition } = options.context;
    const { done, taken } = requestPositions(mark, partition);
    this.#done = done;
    this.#to = taken;
  }

  /** Continues with the requests that were not done before a restart. */
  start(): void {
    this.#go();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Call when requests below `next` are done, except for retries and discards; `hasActs`: the newest page has some. */
  passed(next: number, hasActs: boolean): void {
    const isIdle = this.#done === this.#to;
    this.#to = next;
    if (isIdle && !hasActs) this.#moved(next);
    else this.#go();
  }

  #moved(next: number): void {
    const { context, outbox } = this.#options;
    this.#done = next;
    outbox.moved(doneKey(context.partition), next);
  }

  #go(): void {
    if (this.#isWorking || this.#isClosed) return;
    this.#isWorking = true;
    this.#work().then(
      () => {
        this.#isWorking = false;
        if (this.#done < this.#to) this.#go();
      },
      (error: unknown) => {
        if (!this.#isClosed) this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #work(): Promise<void> {
    while (this.#done < this.#to && !this.#isClosed) {
      const { batch, next } = await this.#read();
      if (!this.#isClosed) await this.#options.take(batch.acts);
      if (this.#isClosed) return;
      for (const { offset } of batch.acts) this.#ahead.add(offset);
      const done = batch.leftAt ?? next;
      for (const offset of this.#ahead) if (offset < done) this.#ahead.delete(offset);
      this.#moved(done);
    }
  }

  async #read(): Promise<{ readonly batch: ActBatch; readonly next: number }> {
    const { context, readSlots } = this.#options;
    const { log, partition } = context;
    const batch = new ActBatch();
    let next = this.#done;
    for (let pages = 0; pages < pagesMax && !batch.isFull && next < this.#to && !this.#isClosed; pages++) {
      const [from, to] = [next, this.#to];
      const page = await readSlots.run(() => log.read('requests', partition, from, { ...pageBounds, to }));
      await new Promise((resolve) => setImmediate(resolve));
      for (const record of page.records) if (isAct(record) && !this.#ahead.has(record.offset)) batch.offer(record);
      next = page.records.length === 0 ? to : page.next;
    }
    return { batch, next };
  }
}
