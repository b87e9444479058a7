// Finds whether events are parked or deleted, from what the views showed and the records that they had not read yet.
import { orderRange } from '../../../domain/deletion/order-range.ts';
import { eventOrder } from '../../../domain/channel/event-id.ts';
import type { DeliveryActionRequest } from '../../../domain/delivery/attempt/delivery-action-request.ts';
import type { FilteredEvent } from '../../../domain/delivery/messages.ts';
import { matchesChannel } from '../../../domain/delivery/matching.ts';
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { scan } from '../reading/scan.ts';

type EventRequest = Extract<DeliveryRequest, { readonly data: DeliveryActionRequest }>;
type EventRecord = Exclude<RecordOn<'deliveries'>, FilteredEvent>;
type ReadTask = Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots'>;

/** Reads the log once, and returns the attempts so far of each event that is parked and whose request is not done. */
export async function parkedAttempts<R extends EventRequest>(
  requests: readonly R[],
  task: ReadTask,
  shouldContinue: () => boolean,
): Promise<ReadonlyMap<R, number>> {
  const { log, partition } = task.context;
  const states = requests.map((request) => new ParkedState(request));
  const byEvent = Map.groupBy(states, ({ request: { data } }) => eventKey(data.subscriptionId, data));
  const end = await log.end('deliveries', partition);
  const from = Math.min(end, ...requests.map(({ data }) => data.seen.below));
  await scan(task, { topic: 'deliveries', from, to: () => end, shouldContinue }, (record) => {
    if (record.type === 'EventsFiltered') return;
    for (const state of byEvent.get(eventKey(record.key, record.data)) ?? []) state.apply(record);
  });
  const parked = new Map<R, number>();
  for (const { request, attempts } of states) if (attempts !== undefined) parked.set(request, attempts);
  return parked;
}

/** Identifies one event of one subscription. */
export const eventKey = (
  subscriptionId: string,
  event: { readonly emitterId: string; readonly eventId: string },
): string => `${subscriptionId}/${event.emitterId}/${event.eventId}`;

/**
 * Whether a delivery that was open when its retry was requested has been attempted since. Then nothing is left to do:
 * repeated after a crash, the retry would take another attempt from the schedule.
 */
export const wasTriedSince = ({ type, data: { seen } }: EventRequest, attempts = 0): boolean =>
  type === 'DeliveryRetryRequested' && !seen.isParked && attempts > seen.attempts;

/** The state of one delivery, from what the views showed and the records that they had not read. */
class ParkedState<R extends EventRequest> {
  readonly request: R;
  #attempts: number | undefined;
  #isDone = false;

  constructor(request: R) {
    this.request = request;
    const { isParked, attempts } = request.data.seen;
    this.#attempts = isParked ? attempts : undefined;
  }

  /** Undefined: it is not parked, or the request was carried out already or needs no action. */
  get attempts(): number | undefined {
    return this.#isDone || wasTriedSince(this.request, this.#attempts) ? undefined : this.#attempts;
  }

  apply(record: EventRecord): void {
    if (record.offset < this.request.data.seen.below) return;
    this.#attempts = attemptsAfter(this.#attempts, record);
    this.#isDone ||= endsParking(record) && record.causationId === this.request.id;
  }
}

/** Finds which events were deleted, from the records that the views had not read yet. */
export class DeletedSince {
  readonly #task: ReadTask & { readonly tailAt: () => number };
  readonly #shouldContinue: () => boolean;
  readonly #bySource: ReadonlyMap<string, readonly EventRequest[]>;
  readonly #deleted = new Set<EventRequest>();
  #next: number;
  #end: number | undefined;

  constructor(
    requests: readonly EventRequest[],
    task: ReadTask & { readonly tailAt: () => number },
    shouldContinue: () => boolean,
  ) {
    this.#task = task;
    this.#shouldContinue = shouldContinue;
    const known = requests.filter(({ data }) => data.seen.channelsBelow !== undefined);
    this.#bySource = Map.groupBy(known, ({ data }) => data.emitterId);
    this.#next = Math.min(...known.map(({ data }) => data.seen.channelsBelow ?? Infinity));
  }

  has(request: EventRequest): boolean {
    return this.#deleted.has(request);
  }

  /**
   * Reads up to delivery's own tail, and resolves in the turn of the event loop that reaches it, so that a later
   * deletion finds every delivery that is opened in this turn.
   */
  async read(): Promise<void> {
    if (this.#bySource.size === 0) return;
    const { context, tailAt } = this.#task;
    const end = (this.#end ??= await context.log.end('channels', context.partition));
    const to = (): number => Math.max(end, tailAt());
    await scan(
      this.#task,
      { topic: 'channels', from: this.#next, to, shouldContinue: this.#shouldContinue },
      (record) => {
        if (record.type === 'EventsDeleted') this.#applyDeletion(record);
      },
    );
    this.#next = Math.max(this.#next, to());
  }

  #applyDeletion({ offset, data }: Extract<RecordOn<'channels'>, { readonly type: 'EventsDeleted' }>): void {
    const { from, to } = orderRange(data);
    for (const request of this.#bySource.get(data.emitterId) ?? []) {
      const { eventId, channel, seen } = request.data;
      if (offset < (seen.channelsBelow ?? 0) || !matchesChannel(data.channel, channel)) continue;
      const order = eventOrder(eventId);
      if (from <= order && order < to) this.#deleted.add(request);
    }
  }
}

const endsParking = ({ type }: EventRecord): boolean => type === 'DeliveryReopened' || type === 'DeliveryDiscarded';

function attemptsAfter(attempts: number | undefined, record: EventRecord): number | undefined {
  const { type, data } = record;
  if (endsParking(record)) return undefined;
  if (type === 'DeliveryParked') return data.replayId === undefined ? data.attempts : attempts;
  return type === 'DeliveryAttempted' && data.outcome === 'delivered' ? undefined : attempts;
}
