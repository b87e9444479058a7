// Carries out retries and discards of single deliveries: reads many at a time, with a lower priority than all else.
import { doneKey, requestPositions } from '../records/request-positions.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { ActBatch } from './act-batch.ts';
import { isAct, type ActRequest } from './delivery-acts.ts';

/** One page: it is parsed in one turn of the event loop, in a millisecond or so. */
const pageBounds = { recordsMax: 512, bytesMax: 128 * 1024 };
/** The most pages read for one batch: a workspace with at most this many pages ahead of it waits for one batch. */
const pagesMax = 64;

export interface ActLaneOptions extends Pick<TaskOptions, 'context' | 'readSlots'> {
  readonly outbox: Pick<Outbox, 'advancePosition'>;
  /** Carries out the requests; resolves once their outputs are ready. */
  readonly take: (acts: readonly ActRequest[]) => Promise<void>;
}

export class ActLane {
  readonly #options: ActLaneOptions;
  /** Retries and discards below this offset are done. */
  #doneBelow: number;
  /** Offsets above `#doneBelow` of requests that are also done, within the pages of one batch. */
  readonly #doneAhead = new Set<number>();
  /** The offset up to which requests were read, exclusive. */
  #takenBelow: number;
  #isWorking = false;
  #isClosed = false;

  constructor(options: ActLaneOptions) {
    this.#options = options;
    const { mark, partition } = options.context;
    const { done, taken } = requestPositions(mark, partition);
    this.#doneBelow = done;
    this.#takenBelow = taken;
  }

  /** Continues with the requests that were not done before a restart. */
  start(): void {
    this.#startWork();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Call when requests below `next` are done, except for retries and discards; `hasActs`: the newest page has some. */
  advanceTo(next: number, hasActs: boolean): void {
    const isIdle = this.#doneBelow === this.#takenBelow;
    this.#takenBelow = next;
    if (isIdle && !hasActs) this.#markDone(next);
    else this.#startWork();
  }

  #markDone(next: number): void {
    const { context, outbox } = this.#options;
    this.#doneBelow = next;
    outbox.advancePosition(doneKey(context.partition), next);
  }

  #startWork(): void {
    if (this.#isWorking || this.#isClosed) return;
    this.#isWorking = true;
    this.#carryOutAll().then(
      () => {
        this.#isWorking = false;
        if (this.#doneBelow < this.#takenBelow) this.#startWork();
      },
      (error: unknown) => {
        if (!this.#isClosed) this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #carryOutAll(): Promise<void> {
    while (this.#doneBelow < this.#takenBelow && !this.#isClosed) {
      const { batch, next } = await this.#readBatch();
      if (!this.#isClosed) await this.#options.take(batch.acts);
      if (this.#isClosed) return;
      for (const { offset } of batch.acts) this.#doneAhead.add(offset);
      const done = batch.firstLeftOut ?? next;
      for (const offset of this.#doneAhead) if (offset < done) this.#doneAhead.delete(offset);
      this.#markDone(done);
    }
  }

  async #readBatch(): Promise<{ readonly batch: ActBatch; readonly next: number }> {
    const { context, readSlots } = this.#options;
    const { log, partition } = context;
    const batch = new ActBatch();
    let next = this.#doneBelow;
    for (let pages = 0; pages < pagesMax && !batch.isFull && next < this.#takenBelow && !this.#isClosed; pages++) {
      const [from, to] = [next, this.#takenBelow];
      const page = await readSlots.run(() => log.read('requests', partition, from, { ...pageBounds, to }));
      await new Promise((resolve) => setImmediate(resolve));
      for (const record of page.records) if (isAct(record) && !this.#doneAhead.has(record.offset)) batch.add(record);
      next = page.records.length === 0 ? to : page.next;
    }
    return { batch, next };
  }
}
