// Reports to a gateway which of a subscription's filters and transforms its events in this partition still need.
import { setTimeout as delay } from 'node:timers/promises';
import type { Ambient } from '../../../domain/ambient.ts';
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import { PortError } from '../../../domain/port-error.ts';
import { SharedSlots } from '../../../primitives/sharing/shared-slots.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { lowestNeeded } from '../cursors/lowest-needed.ts';
import type { Outbox } from '../outbox.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import { cursorsOf, type Subscription } from '../subscriptions/subscription.ts';
import { filterAt } from '../filters/subscription-filters.ts';

type FiltersNeededRequest = RecordOn<'requests'> &
  Extract<DeliveryRequest, { readonly type: 'FiltersNeededRequested' }>;

/** A request older than this is not answered: its gateway has stopped waiting. */
const requestTtlMs = 30_000;
/** The most requests whose answers wait for the log. */
const answersMax = { all: 64, each: 16 };

/** The wait between attempts while the log is unavailable. */
const retryMs = 500;
const unrefed = { ref: false };

/** Every filter and transform might be needed. */
const allNeeded = { neededFrom: 0, offset: 0 };
const oneRecord = { recordsMax: 1, bytesMax: 1 };

export interface NeededFiltersOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'fail'>;
  readonly registry: Registry;
  readonly outbox: Pick<Outbox, 'whenWritten'>;
  readonly ambient: Pick<Ambient, 'now'>;
  /** The offset on `channels` up to which delivery has read. */
  readonly tailAt: () => number;
}

export class NeededFilters {
  readonly #options: NeededFiltersOptions;
  readonly #isReplaying: (subscriptionId: string) => boolean;
  readonly #slots = new SharedSlots(answersMax);

  constructor(options: NeededFiltersOptions, isReplaying: (subscriptionId: string) => boolean) {
    this.#options = options;
    this.#isReplaying = isReplaying;
  }

  /** Starts to answer. Never throws and never waits, so that no other work waits for the answer. */
  answer(request: FiltersNeededRequest): void {
    if (this.#isFresh(request)) void this.#answer(request);
  }

  #isFresh({ at }: FiltersNeededRequest): boolean {
    return at > this.#options.ambient.now() - requestTtlMs;
  }

  /** Answers once the log can be read; gives up when the gateway no longer waits. */
  async #answer(request: FiltersNeededRequest): Promise<void> {
    if (!this.#slots.tryAcquire(request.workspace)) return;
    try {
      while (this.#isFresh(request) && !(await this.#tryAnswer(request))) await delay(retryMs, undefined, unrefed);
    } catch (error) {
      // The log closes when the process ends.
      if (error instanceof PortError && error.code === 'closed') return;
      this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#slots.release(request.workspace);
    }
  }

  /**
   * Finished deliveries count once their records are on the log: after a kill the others are tried again. Returns false
   * if the log is unavailable.
   */
  async #tryAnswer({
    workspace,
    correlationId,
    data: { subscriptionId, replyTo },
  }: FiltersNeededRequest): Promise<boolean> {
    const { context, registry, outbox } = this.#options;
    try {
      const subscription = registry.subscription(subscriptionId);
      const isKnown = subscription?.workspace === workspace;
      const oldest = isKnown && hasParked(subscription) ? await this.#oldestOffset() : 0;
      const needed = isKnown ? this.#needed(subscription, oldest) : allNeeded;
      await outbox.whenWritten();
      context.log.reply(replyTo, { type: 'FiltersNeeded', correlationId, ...needed });
      return true;
    } catch (error) {
      if (error instanceof PortError && error.retryable) return false;
      throw error;
    }
  }

  /** The offset of the oldest event that is kept. */
  async #oldestOffset(): Promise<number> {
    const { context, tailAt } = this.#options;
    const end = tailAt();
    const { records } = await context.log.read('channels', context.partition, 0, oneRecord);
    return records[0]?.offset ?? end;
  }

  /** The lowest offset on `channels` of an event that might be needed, and the version that it uses. */
  #needed(subscription: Subscription, oldest: number): typeof allNeeded {
    if (subscription.opening || this.#isReplaying(subscription.subscriptionId)) return allNeeded;
    let offset = this.#options.tailAt();
    for (const cursor of cursorsOf(subscription)) offset = Math.min(offset, lowestNeeded(cursor));
    // Only the log has which events are parked, so any event that it still holds might be parked.
    if (hasParked(subscription)) offset = Math.min(offset, oldest);
    return { neededFrom: filterAt(subscription, offset)?.version ?? 0, offset };
  }
}

function hasParked(subscription: Subscription): boolean {
  return [...cursorsOf(subscription)].some(({ position }) => position.counters.parked > 0);
}
