// Carries out the requests to delivery in one partition in order, but passes retries and discards to their own lane.
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import type { Replays } from '../replays/replays.ts';
import { NeededFilters } from '../changes/needed-filters.ts';
import { Trials, type TrialsOptions } from '../transforms/trials.ts';
import { takenKey } from '../records/request-positions.ts';
import { ActLane } from './act-lane.ts';
import { DeliveryActs, isAct, type DeliveryActsOptions } from './delivery-acts.ts';
import { WebhookTests, type WebhookTestsOptions } from './webhook-tests.ts';

export interface DeliveryRequestsOptions extends DeliveryActsOptions, WebhookTestsOptions, TrialsOptions {
  readonly context: TaskOptions['context'];
  readonly outbox: Outbox;
}

export class DeliveryRequests {
  readonly #options: DeliveryRequestsOptions;
  readonly #replays: Pick<Replays, 'handle' | 'isReplaying' | 'close'>;
  readonly #deliveryActs: DeliveryActs;
  readonly #actLane: ActLane;
  readonly #tests: WebhookTests;
  readonly #trials: Trials;
  readonly #neededFilters: NeededFilters;
  #closed = false;
  /** Resolves once all pages so far were handled, one after the other. */
  #lastStep = Promise.resolve();
  #pendingSteps = 0;

  constructor(options: DeliveryRequestsOptions, replays: Pick<Replays, 'handle' | 'isReplaying' | 'close'>) {
    this.#options = options;
    this.#replays = replays;
    const deliveryActs = (this.#deliveryActs = new DeliveryActs(options));
    this.#actLane = new ActLane({ ...options, take: (acts) => deliveryActs.carryOut(acts) });
    this.#tests = new WebhookTests(options);
    this.#trials = new Trials(options);
    this.#neededFilters = new NeededFilters(options, (subscriptionId) => replays.isReplaying(subscriptionId));
  }

  /** Continues with the requests that the mark has not passed. */
  start(): void {
    this.#actLane.start();
  }

  close(): void {
    this.#closed = true;
    this.#actLane.close();
    this.#deliveryActs.close();
    this.#replays.close();
  }

  /** Reads what requests need from the log in the background: only this input waits for it. */
  handle(records: RecordsOn<'requests'>, next: number): void {
    this.#enqueue(() => this.#handle(records, next));
  }

  /** Skips a malformed request. */
  skipMalformed(next: number): void {
    this.#enqueue(() => Promise.resolve(this.#advanceTo(next, false)));
  }

  #enqueue(step: () => Promise<void>): void {
    const { context } = this.#options;
    context.pause('requests', context.partition);
    this.#pendingSteps++;
    this.#lastStep = this.#lastStep.then(step).then(
      () => {
        if (--this.#pendingSteps === 0) context.resume('requests', context.partition);
      },
      (error: unknown) => {
        if (!this.#closed) context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #handle(records: RecordsOn<'requests'>, next: number): Promise<void> {
    const { context } = this.#options;
    if (this.#closed) return;
    // Topics are read concurrently: events emitted before a request might not have been read yet.
    const end = await context.log.end('channels', context.partition);
    for (const record of records) {
      if (this.#closed) return;
      if (record.type === 'WebhookTestRequested') this.#tests.start(record);
      else if (record.type === 'TransformTrialRequested') this.#trials.start(record);
      else if (record.type === 'FiltersNeededRequested') this.#neededFilters.answer(record);
      else if (!isAct(record)) context.tolerate(record, () => this.#replays.handle(record, end));
    }
    this.#advanceTo(next, records.some(isAct));
  }

  #advanceTo(next: number, hasActs: boolean): void {
    const { context, outbox } = this.#options;
    if (this.#closed) return;
    outbox.advancePosition(takenKey(context.partition), next);
    this.#actLane.advanceTo(next, hasActs);
  }
}
