// Remembers which events of a cursor have lately stopped being parked, or were parked again: the records of these changes
// may not be on the log yet.

/**
 * Two entries for each event: more than one append and the records that wait for the next can hold, so older ones are
 * on the log.
 */
const keptMax = 8_192;

/** An event; without an offset if it is deleted. */
interface Left {
  readonly offset?: number | undefined;
  /** Of its source's events. */
  readonly number: number;
}

/** No offset is below 0. */
const placeOf = ({ offset, number }: Left): number => offset ?? -1 - number;

interface Change {
  readonly isParked: boolean;
}

export class Lately {
  /** The last change of each event, by offset, and by number where it is not parked any more; the newest last. */
  readonly #changes = new Map<number, Change>();

  leaves({ offset, number }: Left): void {
    if (offset !== undefined) this.#note(offset, { isParked: false });
    this.#note(placeOf({ number }), { isParked: false });
  }

  /** It is parked again; remembered only for an event that `leaves` was called for. */
  returns(offset: number): void {
    if (this.#changes.has(offset)) this.#note(offset, { isParked: true });
  }

  /** Undefined: as the log says. */
  isParked(event: Left): boolean | undefined {
    const change = this.#changes.get(placeOf(event)) ?? this.#changes.get(placeOf({ number: event.number }));
    return change?.isParked;
  }

  /** Forgets what happened before this call once `written` says that it is on the log. */
  async forget(written: Promise<void>): Promise<void> {
    const before = [...this.#changes];
    await written;
    for (const [offset, change] of before) if (this.#changes.get(offset) === change) this.#changes.delete(offset);
  }

  #note(offset: number, change: Change): void {
    this.#changes.delete(offset);
    this.#changes.set(offset, change);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > keptMax && oldest !== undefined) this.#changes.delete(oldest);
  }
}
