// Carries out the requests to delivery in one partition in order, but passes retries and discards to their own lane.
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import type { Replays } from '../replays/replays.ts';
import { NeededFilters } from '../changes/needed-filters.ts';
import { Trials, type TrialsOptions } from '../transforms/trials.ts';
import { takenKey } from '../records/request-positions.ts';
import { ActLane } from './act-lane.ts';
import { AskedDeliveries, isAct, type AskedDeliveriesOptions } from './asked-deliveries.ts';
import { WebhookTests, type WebhookTestsOptions } from './webhook-tests.ts';

export interface DeliveryRequestsOptions extends AskedDeliveriesOptions, WebhookTestsOptions, TrialsOptions {
  readonly context: TaskOptions['context'];
  readonly outbox: Outbox;
}

export class DeliveryRequests {
  readonly #options: DeliveryRequestsOptions;
  readonly #replays: Pick<Replays, 'take' | 'isReplaying' | 'close'>;
  readonly #deliveries: AskedDeliveries;
  readonly #acts: ActLane;
  readonly #tests: WebhookTests;
  readonly #trials: Trials;
  readonly #neededFilters: NeededFilters;
  #closed = false;
  /** Resolves once all pages so far were handled, one after the other. */
  #work = Promise.resolve();
  #steps = 0;

  constructor(options: DeliveryRequestsOptions, replays: Pick<Replays, 'take' | 'isReplaying' | 'close'>) {
    this.#options = options;
    this.#replays = replays;
    const deliveries = (this.#deliveries = new AskedDeliveries(options));
    this.#acts = new ActLane({ ...options, take: (acts) => deliveries.take(acts) });
    this.#tests = new WebhookTests(options);
    this.#trials = new Trials(options);
    this.#neededFilters = new NeededFilters(options, (subscriptionId) => replays.isReplaying(subscriptionId));
  }

  /** Continues with the requests that the mark has not passed. */
  start(): void {
    this.#acts.start();
  }

  close(): void {
    this.#closed = true;
    this.#acts.close();
    this.#deliveries.close();
    this.#replays.close();
  }

  /** Reads what requests need from the log in the background: only this input waits for it. */
  take(records: RecordsOn<'requests'>, next: number): void {
    this.#after(() => this.#take(records, next));
  }

  /** Skips a malformed request. */
  pass(next: number): void {
    this.#after(() => Promise.resolve(this.#moved(next, false)));
  }

  #after(step: () => Promise<void>): void {
    const { context } = this.#options;
    context.pause('requests', context.partition);
    this.#steps++;
    this.#work = this.#work.then(step).then(
      () => {
        if (--this.#steps === 0) context.resume('requests', context.partition);
      },
      (error: unknown) => {
        if (!this.#closed) context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #take(records: RecordsOn<'requests'>, next: number): Promise<void> {
    const { context } = this.#options;
    if (this.#closed) return;
    // Topics are read concurrently: events emitted before a request might not have been read yet.
    const end = await context.log.end('channels', context.partition);
    for (const record of records) {
      if (this.#closed) return;
      if (record.type === 'WebhookTestRequested') this.#tests.take(record);
      else if (record.type === 'TransformTrialRequested') this.#trials.take(record);
      else if (record.type === 'FiltersNeededRequested') this.#neededFilters.take(record);
      else if (!isAct(record)) context.tolerate(record, () => this.#replays.take(record, end));
    }
    this.#moved(next, records.some(isAct));
  }

  #moved(next: number, hasActs: boolean): void {
    const { context, outbox } = this.#options;
    if (this.#closed) return;
    outbox.moved(takenKey(context.partition), next);
    this.#acts.passed(next, hasActs);
  }
}
