// Selects which events a replay sends, and which of them are parked, for each source in its range.
import { numberOfEvent, timeOfEvent } from '../../../../domain/channel/event-id.ts';
import type { ReplayEnds, ReplayOnly } from '../../../../domain/delivery/replay/messages.ts';
import type { Millis } from '../../../../domain/message.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { BufferedEvent } from '../../events/buffer.ts';
import { SourceSelection } from './source-selection.ts';
import type { SelectedEvents } from './source-selection.ts';

/** An event by its source and its number among that source's events. */
export interface NumberedEvent {
  readonly emitterId: string;
  readonly number: number;
}

/** An event with its number and time. */
export interface TimedEvent extends NumberedEvent {
  readonly time: Millis;
}

export const numberedEvent = ({ emitterId, eventId }: Pick<BufferedEvent, 'emitterId' | 'eventId'>): NumberedEvent => ({
  emitterId,
  number: numberOfEvent(eventId),
});

export const timedEvent = (event: Pick<BufferedEvent, 'emitterId' | 'eventId'>): TimedEvent => ({
  ...numberedEvent(event),
  time: timeOfEvent(event.eventId),
});

export interface SelectionOptions {
  readonly subscriptionId: string;
  readonly only: ReplayOnly;
  /** The first and the last event of each source in the range. */
  readonly sources: ReadonlyMap<string, ReplayEnds>;
}

export class Selection {
  readonly #subscriptionId: string;
  readonly #only: ReplayOnly;
  readonly #bySource = new Map<string, SourceSelection>();
  #rememberedCount: number;

  constructor({ subscriptionId, only, sources }: SelectionOptions) {
    this.#subscriptionId = subscriptionId;
    this.#only = only;
    this.#rememberedCount = sources.size;
    for (const [emitterId, ends] of sources)
      this.#bySource.set(emitterId, new SourceSelection({ subscriptionId, emitterId, only, ends }));
  }

  /** How many sources and numbers are remembered. */
  get rememberedCount(): number {
    return this.#rememberedCount;
  }

  /** Undefined: every event of the range is to be sent. */
  get selected(): SelectedEvents | undefined {
    if (this.#only === 'all') return undefined;
    let total = 0;
    let ends: ReplayEnds | undefined;
    for (const { selected } of this.#bySource.values()) {
      total += selected.total;
      ends = widest(ends, selected.ends);
    }
    return { total, ends };
  }

  includes({ emitterId, number }: NumberedEvent): boolean {
    return this.#only === 'all' || this.#bySource.get(emitterId)?.includes(number) === true;
  }

  isParked({ emitterId, number }: NumberedEvent): boolean {
    return this.#bySource.get(emitterId)?.parked.has(number) === true;
  }

  /** Notes an event that became parked after the choice: it is not chosen, but counted once it is delivered. */
  park({ emitterId, number }: NumberedEvent): void {
    const source = this.#bySource.get(emitterId) ?? this.#addEmpty(emitterId);
    if (source.parked.has(number)) return;
    source.parked.set(number, 0);
    this.#rememberedCount++;
  }

  unpark({ emitterId, number }: NumberedEvent): void {
    this.#bySource.get(emitterId)?.parked.delete(number);
  }

  #addEmpty(emitterId: string): SourceSelection {
    const subscriptionId = this.#subscriptionId;
    const source = new SourceSelection({
      subscriptionId,
      emitterId,
      only: this.#only,
      ends: { first: '0-0', last: '0-0' },
    });
    this.#bySource.set(emitterId, source);
    return source;
  }

  /** Takes a record of `deliveries`, in order. */
  apply(record: RecordOn<'deliveries'>): void {
    const source = this.#bySource.get(record.data.emitterId);
    if (source === undefined) return;
    const countBefore = source.rememberedCount;
    source.apply(record);
    this.#rememberedCount += source.rememberedCount - countBefore;
  }

  /** Makes the choice final: later records only show which events are parked. */
  finish(): void {
    for (const source of this.#bySource.values()) {
      const countBefore = source.rememberedCount;
      source.finish();
      this.#rememberedCount += source.rememberedCount - countBefore;
    }
  }
}

/** The earlier of the first events and the later of the last ones. */
function widest(one: ReplayEnds | undefined, other: ReplayEnds | undefined): ReplayEnds | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    first: timeOfEvent(other.first) < timeOfEvent(one.first) ? other.first : one.first,
    last: timeOfEvent(other.last) > timeOfEvent(one.last) ? other.last : one.last,
  };
}
