// Asks delivery which filters and transforms of a subscription are still needed: older ones make room for new ones.
import type { FiltersNeeded } from '../../../domain/delivery/filter/filter-history.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { SubscriptionTriple } from '../../../domain/listener/messages.ts';
import { requestRecord } from '../commands/request-record.ts';
import type { Caller } from '../control/api-keys.ts';
import { DeliveryQuestions } from '../control/waiting/delivery-questions.ts';
import { unavailable } from '../http/api-problem.ts';
import type { TransformDeskOptions } from './transform-desk.ts';

const waitingMax = { all: 100, each: 16 };

type Of = Pick<SubscriptionTriple, 'emitterId'> & { readonly subscriptionId: string };

export class NeededFiltersDesk {
  readonly #options: TransformDeskOptions;
  readonly #questions: DeliveryQuestions<'FiltersNeeded'>;

  constructor(options: TransformDeskOptions) {
    this.#options = options;
    const tooMany = 'Too many changes of filters wait for delivery.';
    this.#questions = new DeliveryQuestions({ ...options, type: 'FiltersNeeded', places: waitingMax, tooMany });
  }

  open(): void {
    this.#questions.open();
  }

  close(): void {
    this.#questions.close();
  }

  /** Asks in all partitions of the sources. Throws TooManyWaiting, ApiProblem 503 or PortError. */
  async of(caller: Caller, subscription: Of): Promise<FiltersNeeded> {
    const { log, limits } = this.#options;
    const { emitterId } = subscription;
    const isEvery = isEverySource(emitterId);
    const until = performance.now() + limits.trialMs;
    let neededFrom = Infinity;
    const neededAt: { partition: number; offset: number }[] = [];
    for (let partition = 0; partition < log.partitions; partition++) {
      if (!isEvery && partition !== partitionOf(emitterId, log.partitions)) continue;
      const answer = await this.#in(partition, { caller, subscription, until });
      neededFrom = Math.min(neededFrom, answer.neededFrom);
      neededAt.push({ partition, offset: answer.offset });
    }
    return { neededFrom, neededAt };
  }

  async #in(
    partition: number,
    { caller, subscription, until }: { readonly caller: Caller; readonly subscription: Of; readonly until: number },
  ) {
    const { ambient, instanceId } = this.#options;
    const { subscriptionId } = subscription;
    const message = { type: 'FiltersNeededRequested', data: { subscriptionId, replyTo: instanceId } } as const;
    const record = requestRecord(ambient, caller, { key: subscriptionId, ...message });
    const answer = await this.#questions.ask(partition, record, until - performance.now());
    if (answer === undefined)
      throw unavailable('Delivery, which knows the filters still needed, did not answer in time.');
    return answer;
  }
}
