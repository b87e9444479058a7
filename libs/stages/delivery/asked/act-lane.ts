// Acts on single deliveries, in a lane of their own: it reads them from the log again, many at a time, behind all else.
import { doneKey, requestPositions } from '../records/request-positions.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { isAct, type ActRequest } from './asked-deliveries.ts';

/** One page: it is parsed in one turn of the event loop, in a millisecond or so. */
const pageBounds = { recordsMax: 512, bytesMax: 128 * 1024 };
/** Acts that share what they read of the log, about 1 KiB each; what waits behind them waits on the log. */
const togetherMax = 2_048;

export interface ActLaneOptions extends Pick<TaskOptions, 'context' | 'readSlots'> {
  readonly outbox: Pick<Outbox, 'moved'>;
  /** Resolves once their outputs are ready. */
  readonly take: (acts: readonly ActRequest[]) => Promise<void>;
}

export class ActLane {
  readonly #options: ActLaneOptions;
  /** Acts below it are done. */
  #done: number;
  /** Exclusive: where requests were read to. */
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

  /** Goes on with what a restart has left. */
  start(): void {
    this.#go();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** All requests below `next` were read, and all but acts are dealt with; `hasActs`: there are some among the last. */
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
      const { acts, next } = await this.#read();
      if (!this.#isClosed) await this.#options.take(acts);
      if (!this.#isClosed) this.#moved(next);
    }
  }

  async #read(): Promise<{ readonly acts: readonly ActRequest[]; readonly next: number }> {
    const { context, readSlots } = this.#options;
    const { log, partition } = context;
    const acts: ActRequest[] = [];
    let next = this.#done;
    while (acts.length < togetherMax && next < this.#to && !this.#isClosed) {
      const [from, to] = [next, this.#to];
      const page = await readSlots.run(() => log.read('requests', partition, from, { ...pageBounds, to }));
      await new Promise((resolve) => setImmediate(resolve));
      for (const record of page.records) if (isAct(record)) acts.push(record);
      next = page.records.length === 0 ? to : page.next;
    }
    return { acts, next };
  }
}
