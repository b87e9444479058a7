// Finds which events of one source in a replay's range are parked or had a failed attempt, from delivery's records.
import { numberOfEvent, timeOfEvent } from '../../../../domain/channel/event-id.ts';
import type { ReplayEnds, ReplayOnly } from '../../../../domain/delivery/replay/messages.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';

interface SourceSelectionOptions {
  readonly subscriptionId: string;
  readonly emitterId: string;
  readonly only: ReplayOnly;
  /** The first and the last event of the range. */
  readonly ends: ReplayEnds;
}

/** `total`: how many events are to be sent. */
export interface SelectedEvents {
  readonly total: number;
  readonly ends: ReplayEnds | undefined;
}

export class SourceSelection {
  readonly #options: SourceSelectionOptions;
  readonly #lowest: number;
  readonly #highest: number;
  /** The times of parked events, from their ids, by number. Replays that deliver them remove them. */
  readonly parked = new Map<number, number>();
  readonly #chosen = new Map<number, number>();
  readonly #discarded = new Set<number>();
  #isFinal = false;

  constructor(options: SourceSelectionOptions) {
    this.#options = options;
    this.#lowest = numberOfEvent(options.ends.first);
    this.#highest = numberOfEvent(options.ends.last);
  }

  /** How many numbers are remembered. */
  get rememberedCount(): number {
    return this.parked.size + this.#chosen.size + this.#discarded.size;
  }

  /** The events that were chosen. */
  get selected(): SelectedEvents {
    let [lowest, highest] = [Infinity, -1];
    for (const number of this.#chosen.keys()) [lowest, highest] = [Math.min(lowest, number), Math.max(highest, number)];
    const total = this.#chosen.size;
    return { total, ends: total === 0 ? undefined : { first: this.#idOf(lowest), last: this.#idOf(highest) } };
  }

  includes(number: number): boolean {
    return this.#options.only === 'all' || this.#chosen.has(number);
  }

  /** Takes a record of `deliveries`, in order: once the choice is final, it only shows what is parked. */
  apply(record: RecordOn<'deliveries'>): void {
    if (record.type === 'EventsFiltered') return;
    const { key, type, data } = record;
    const { subscriptionId, emitterId } = this.#options;
    if (key !== subscriptionId || data.emitterId !== emitterId) return;
    const { eventId } = data;
    const number = numberOfEvent(eventId);
    if (number < this.#lowest || number > this.#highest) return;
    switch (type) {
      case 'DeliveryParked':
        if (data.replayId === undefined) this.parked.set(number, timeOfEvent(eventId));
        return;
      case 'DeliveryReopened':
        this.parked.delete(number);
        return;
      case 'DeliveryDiscarded':
        this.parked.delete(number);
        if (this.#isFinal) return;
        this.#chosen.delete(number);
        // An attempt that was in flight is recorded later, and changes nothing.
        this.#discarded.add(number);
        return;
      case 'DeliveryAttempted':
        if (data.outcome === 'delivered') this.parked.delete(number);
        else if (this.#options.only === 'failed' && !this.#isFinal && !this.#discarded.has(number))
          this.#chosen.set(number, timeOfEvent(eventId));
    }
  }

  /** Makes the choice final; call once all records that choose were taken. */
  finish(): void {
    if (this.#isFinal) return;
    this.#isFinal = true;
    this.#discarded.clear();
    if (this.#options.only === 'all') return;
    for (const [number, time] of this.parked) this.#chosen.set(number, time);
  }

  #idOf(number: number): string {
    return `${this.#chosen.get(number) ?? 0}-${number}`;
  }
}
