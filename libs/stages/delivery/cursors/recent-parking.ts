// Remembers which events of a cursor recently stopped being parked, or were parked again: the records of these changes
// might not be on the log yet.

/**
 * Two entries for each event: more than one append and the records that wait for the next can hold, so older ones are
 * on the log.
 */
const keptMax = 8_192;

/** An event; without an offset if it is deleted. */
interface ParkedEvent {
  readonly offset?: number | undefined;
  /** The event's number among its source's events. */
  readonly number: number;
}

/** The event's offset or, without one, a negative number made from its number. */
const keyOf = ({ offset, number }: ParkedEvent): number => offset ?? -1 - number;

interface ParkChange {
  readonly isParked: boolean;
}

export class RecentParking {
  /** The last change of each event, by offset and, once it is not parked any more, also by number; the newest last. */
  readonly #changes = new Map<number, ParkChange>();

  noteUnparked({ offset, number }: ParkedEvent): void {
    if (offset !== undefined) this.#record(offset, { isParked: false });
    this.#record(keyOf({ number }), { isParked: false });
  }

  /** Notes that an event is parked again, if `noteUnparked` was called for it. */
  noteParked(offset: number): void {
    if (this.#changes.has(offset)) this.#record(offset, { isParked: true });
  }

  /** Whether the event is parked; undefined: no recent change, so the log is right. */
  isParked(event: ParkedEvent): boolean | undefined {
    const change = this.#changes.get(keyOf(event)) ?? this.#changes.get(keyOf({ number: event.number }));
    return change?.isParked;
  }

  /** Forgets the changes before this call once `written` has resolved, when they are on the log. */
  async forget(written: Promise<void>): Promise<void> {
    const before = [...this.#changes];
    await written;
    for (const [offset, change] of before) if (this.#changes.get(offset) === change) this.#changes.delete(offset);
  }

  #record(offset: number, change: ParkChange): void {
    this.#changes.delete(offset);
    this.#changes.set(offset, change);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > keptMax && oldest !== undefined) this.#changes.delete(oldest);
  }
}
