// Selects which events a replay sends, and which of them are parked, for each source in its range.
import { numberOfEvent, timeOfEvent } from '../../../../domain/channel/event-id.ts';
import type { ReplayEnds, ReplayOnly } from '../../../../domain/delivery/replay/messages.ts';
import type { Millis } from '../../../../domain/message.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { BufferedEvent } from '../../events/buffer.ts';
import { SourceSelection } from './source-selection.ts';
import type { Counted } from './source-selection.ts';

/** An event by its source and its number among that source's events. */
export interface Numbered {
  readonly emitterId: string;
  readonly number: number;
}

/** An event with its number and time. */
export interface Timed extends Numbered {
  readonly time: Millis;
}

export const numbered = ({ emitterId, eventId }: Pick<BufferedEvent, 'emitterId' | 'eventId'>): Numbered => ({
  emitterId,
  number: numberOfEvent(eventId),
});

export const timed = (event: Pick<BufferedEvent, 'emitterId' | 'eventId'>): Timed => ({
  ...numbered(event),
  time: timeOfEvent(event.eventId),
});

export interface Selected {
  readonly subscriptionId: string;
  readonly only: ReplayOnly;
  /** The first and the last event of each source in the range. */
  readonly sources: ReadonlyMap<string, ReplayEnds>;
}

export class Selection {
  readonly #subscriptionId: string;
  readonly #only: ReplayOnly;
  readonly #bySource = new Map<string, SourceSelection>();
  #held: number;

  constructor({ subscriptionId, only, sources }: Selected) {
    this.#subscriptionId = subscriptionId;
    this.#only = only;
    this.#held = sources.size;
    for (const [emitterId, ends] of sources)
      this.#bySource.set(emitterId, new SourceSelection({ subscriptionId, emitterId, only, ends }));
  }

  /** How many sources and numbers are remembered. */
  get held(): number {
    return this.#held;
  }

  /** Undefined: every event of the range is to be sent. */
  get counted(): Counted | undefined {
    if (this.#only === 'all') return undefined;
    let total = 0;
    let ends: ReplayEnds | undefined;
    for (const { counted } of this.#bySource.values()) {
      total += counted.total;
      ends = widest(ends, counted.ends);
    }
    return { total, ends };
  }

  takes({ emitterId, number }: Numbered): boolean {
    return this.#only === 'all' || this.#bySource.get(emitterId)?.takes(number) === true;
  }

  isParked({ emitterId, number }: Numbered): boolean {
    return this.#bySource.get(emitterId)?.parked.has(number) === true;
  }

  /** Notes an event that became parked after the choice: it is not chosen, but counted once it is delivered. */
  park({ emitterId, number }: Numbered): void {
    const of = this.#bySource.get(emitterId) ?? this.#empty(emitterId);
    if (of.parked.has(number)) return;
    of.parked.set(number, 0);
    this.#held++;
  }

  unpark({ emitterId, number }: Numbered): void {
    this.#bySource.get(emitterId)?.parked.delete(number);
  }

  #empty(emitterId: string): SourceSelection {
    const subscriptionId = this.#subscriptionId;
    const of = new SourceSelection({
      subscriptionId,
      emitterId,
      only: this.#only,
      ends: { first: '0-0', last: '0-0' },
    });
    this.#bySource.set(emitterId, of);
    return of;
  }

  /** Takes a record of `deliveries`, in order. */
  learn(record: RecordOn<'deliveries'>): void {
    const of = this.#bySource.get(record.data.emitterId);
    if (of === undefined) return;
    const before = of.held;
    of.learn(record);
    this.#held += of.held - before;
  }

  /** Makes the choice final: later records only show which events are parked. */
  finish(): void {
    for (const of of this.#bySource.values()) {
      const before = of.held;
      of.finish();
      this.#held += of.held - before;
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
