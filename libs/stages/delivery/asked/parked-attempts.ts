// Finds whether events are parked or deleted, from what the views showed and the records that they had not read yet.
import { orderRange } from '../../../domain/deletion/order-range.ts';
import { eventOrder } from '../../../domain/channel/event-id.ts';
import type { DeliveryAsked } from '../../../domain/delivery/attempt/asked.ts';
import type { FilteredEvent } from '../../../domain/delivery/messages.ts';
import { matchesChannel } from '../../../domain/delivery/matching.ts';
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { scan } from '../reading/scan.ts';

type Asked = Extract<DeliveryRequest, { readonly data: DeliveryAsked }>;
type OfEvent = Exclude<RecordOn<'deliveries'>, FilteredEvent>;
type Task = Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots'>;

/** Reads the log once, and returns the attempts so far of each event that is parked and whose request is not done. */
export async function parkedAttempts<R extends Asked>(
  all: readonly R[],
  task: Task,
  goesOn: () => boolean,
): Promise<ReadonlyMap<R, number>> {
  const { log, partition } = task.context;
  const standings = all.map((asked) => new Standing(asked));
  const byEvent = Map.groupBy(standings, ({ asked: { data } }) => eventKey(data.subscriptionId, data));
  const end = await log.end('deliveries', partition);
  const from = Math.min(end, ...all.map(({ data }) => data.seen.below));
  await scan(task, { topic: 'deliveries', from, to: () => end, goesOn }, (record) => {
    if (record.type === 'EventsFiltered') return;
    for (const standing of byEvent.get(eventKey(record.key, record.data)) ?? []) standing.take(record);
  });
  const parked = new Map<R, number>();
  for (const { asked, attempts } of standings) if (attempts !== undefined) parked.set(asked, attempts);
  return parked;
}

/** Identifies one event of one subscription. */
export const eventKey = (
  subscriptionId: string,
  of: { readonly emitterId: string; readonly eventId: string },
): string => `${subscriptionId}/${of.emitterId}/${of.eventId}`;

/**
 * Whether a delivery that was open when its retry was requested has been attempted since. Then nothing is left to do:
 * repeated after a crash, the retry would take another attempt from the schedule.
 */
export const wasTriedSince = ({ type, data: { seen } }: Asked, attempts = 0): boolean =>
  type === 'DeliveryRetryRequested' && !seen.isParked && attempts > seen.attempts;

/** The state of one delivery, from what the views showed and the records that they had not read. */
class Standing<R extends Asked> {
  readonly asked: R;
  #attempts: number | undefined;
  #isDone = false;

  constructor(asked: R) {
    this.asked = asked;
    const { isParked, attempts } = asked.data.seen;
    this.#attempts = isParked ? attempts : undefined;
  }

  /** Undefined: it is not parked, or the request was carried out already or needs no action. */
  get attempts(): number | undefined {
    return this.#isDone || wasTriedSince(this.asked, this.#attempts) ? undefined : this.#attempts;
  }

  take(record: OfEvent): void {
    if (record.offset < this.asked.data.seen.below) return;
    this.#attempts = after(this.#attempts, record);
    this.#isDone ||= endsParked(record) && record.causationId === this.asked.id;
  }
}

/** Finds which events were deleted, from the records that the views had not read yet. */
export class DeletedSince {
  readonly #task: Task & { readonly tailAt: () => number };
  readonly #goesOn: () => boolean;
  readonly #bySource: ReadonlyMap<string, readonly Asked[]>;
  readonly #deleted = new Set<Asked>();
  #next: number;
  #end: number | undefined;

  constructor(all: readonly Asked[], task: Task & { readonly tailAt: () => number }, goesOn: () => boolean) {
    this.#task = task;
    this.#goesOn = goesOn;
    const known = all.filter(({ data }) => data.seen.channelsBelow !== undefined);
    this.#bySource = Map.groupBy(known, ({ data }) => data.emitterId);
    this.#next = Math.min(...known.map(({ data }) => data.seen.channelsBelow ?? Infinity));
  }

  has(asked: Asked): boolean {
    return this.#deleted.has(asked);
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
    await scan(this.#task, { topic: 'channels', from: this.#next, to, goesOn: this.#goesOn }, (record) => {
      if (record.type === 'EventsDeleted') this.#take(record);
    });
    this.#next = Math.max(this.#next, to());
  }

  #take({ offset, data }: Extract<RecordOn<'channels'>, { readonly type: 'EventsDeleted' }>): void {
    const { from, to } = orderRange(data);
    for (const asked of this.#bySource.get(data.emitterId) ?? []) {
      const { eventId, channel, seen } = asked.data;
      if (offset < (seen.channelsBelow ?? 0) || !matchesChannel(data.channel, channel)) continue;
      const order = eventOrder(eventId);
      if (from <= order && order < to) this.#deleted.add(asked);
    }
  }
}

const endsParked = ({ type }: OfEvent): boolean => type === 'DeliveryReopened' || type === 'DeliveryDiscarded';

function after(attempts: number | undefined, record: OfEvent): number | undefined {
  const { type, data } = record;
  if (endsParked(record)) return undefined;
  if (type === 'DeliveryParked') return data.replayId === undefined ? data.attempts : attempts;
  return type === 'DeliveryAttempted' && data.outcome === 'delivered' ? undefined : attempts;
}
