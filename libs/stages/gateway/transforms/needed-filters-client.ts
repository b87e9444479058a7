// Asks delivery which filters and transforms of a subscription are still needed: older ones make room for new ones.
import type { FiltersNeeded } from '../../../domain/delivery/filter/filter-history.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { SubscriptionTriple } from '../../../domain/listener/messages.ts';
import { requestRecord } from '../commands/request-record.ts';
import type { Caller } from '../control/api-keys.ts';
import { DeliveryRequests } from '../control/waiting/delivery-requests.ts';
import { unavailable } from '../http/api-problem.ts';
import type { TransformTrialsOptions } from './transform-trials.ts';

const waitingMax = { all: 100, each: 16 };

type SubscriptionRef = Pick<SubscriptionTriple, 'emitterId'> & { readonly subscriptionId: string };

export class NeededFiltersClient {
  readonly #options: TransformTrialsOptions;
  readonly #requests: DeliveryRequests<'FiltersNeeded'>;

  constructor(options: TransformTrialsOptions) {
    this.#options = options;
    const tooManyMessage = 'Too many changes of filters wait for delivery.';
    this.#requests = new DeliveryRequests({
      ...options,
      type: 'FiltersNeeded',
      slotLimits: waitingMax,
      tooManyMessage,
    });
  }

  open(): void {
    this.#requests.open();
  }

  close(): void {
    this.#requests.close();
  }

  /** Asks in all partitions of the sources. Throws TooManyWaiting, ApiProblem 503 or PortError. */
  async find(caller: Caller, subscription: SubscriptionRef): Promise<FiltersNeeded> {
    const { log, limits } = this.#options;
    const { emitterId } = subscription;
    const isEvery = isEverySource(emitterId);
    const deadline = performance.now() + limits.trialMs;
    let neededFrom = Infinity;
    const neededAt: { partition: number; offset: number }[] = [];
    for (let partition = 0; partition < log.partitions; partition++) {
      if (!isEvery && partition !== partitionOf(emitterId, log.partitions)) continue;
      const answer = await this.#requestIn(partition, { caller, subscription, deadline });
      neededFrom = Math.min(neededFrom, answer.neededFrom);
      neededAt.push({ partition, offset: answer.offset });
    }
    return { neededFrom, neededAt };
  }

  async #requestIn(
    partition: number,
    {
      caller,
      subscription,
      deadline,
    }: { readonly caller: Caller; readonly subscription: SubscriptionRef; readonly deadline: number },
  ) {
    const { ambient, instanceId } = this.#options;
    const { subscriptionId } = subscription;
    const message = { type: 'FiltersNeededRequested', data: { subscriptionId, replyTo: instanceId } } as const;
    const record = requestRecord(ambient, caller, { key: subscriptionId, ...message });
    const answer = await this.#requests.send(partition, record, deadline - performance.now());
    if (answer === undefined)
      throw unavailable('Delivery, which knows the filters still needed, did not answer in time.');
    return answer;
  }
}
